# Sourced by prolog and epilog. Where the controller is: HEDDLE_SERVER, with a standby both addresses
# with a comma between; the file with its token (a provider's, readable by Slurm's user only):
# HEDDLE_TOKEN_FILE. Both may be set in /etc/heddle/slurm.
# shellcheck shell=bash
if [ -r /etc/heddle/slurm ]; then
  # shellcheck disable=SC1091
  . /etc/heddle/slurm
fi
url=${HEDDLE_SERVER:-http://127.0.0.1:8480}
token_file=${HEDDLE_TOKEN_FILE:-/etc/heddle/slurm.token}
: "${SLURM_JOB_ID:?is set by Slurm}" "${SLURM_JOB_NODELIST:?is set by Slurm}"
# A key from the range HEDDLE_JOB_KEYS, which should be the controller's job_keys; of two running jobs
# that come with one key the controller refuses the second.
job_keys=${HEDDLE_JOB_KEYS:-0x1-0x7ffe}
first=$((${job_keys%%-*}))
last=$((${job_keys##*-}))
# Variables of this file are used by those that source it.
# shellcheck disable=SC2034
key=$(printf '0x%x' $((first + SLURM_JOB_ID % (last - first + 1))))

# request METHOD PATH [BODY]: fails, with the answer on standard error, unless the status is 2xx. Of
# several addresses (a standby's, too) the one that leads is found; a change of the leader takes 5 s.
# The token goes in by standard input, so that the list of processes does not show it.
request() {
  local answer status address addresses wait token='' header=()
  if [ -r "$token_file" ]; then
    token=$(cat "$token_file")
    header=(-H @-)
  elif [ -n "${HEDDLE_TOKEN_FILE:-}" ] || [ -e "$token_file" ]; then
    printf 'heddle: cannot read the token in %s\n' "$token_file" >&2
    return 1
  fi
  IFS=', ' read -r -a addresses <<<"$url"
  for wait in 1 2 4 ''; do
    for address in "${addresses[@]}"; do
      answer=$(curl -sS --globoff --connect-timeout 5 --max-time 30 -w '\n%{http_code}' \
        -X "$1" "${header[@]}" -H 'Content-Type: application/json' ${3:+--data "$3"} \
        "${address%/}$2" <<<"Authorization: Bearer $token") || answer=$'no answer\n000'
      status=${answer##*$'\n'}
      case $status in
        2*) return 0 ;;
        000 | 408 | 429 | 5*) ;; # perhaps another one, or later
        *) break 2 ;;
      esac
    done
    if [ -n "$wait" ]; then sleep "$wait"; fi
  done
  printf 'heddle: %s %s: %s\n' "$1" "${address%/}$2" "$answer" >&2
  return 1
}
