# Sourced by prolog and epilog. Where the controller is: HEDDLE_SERVER; the file with its token (a
# provider's, readable by Slurm's user only): HEDDLE_TOKEN_FILE. Both may be set in /etc/heddle/slurm.
# shellcheck shell=bash
if [ -r /etc/heddle/slurm ]; then
  # shellcheck disable=SC1091
  . /etc/heddle/slurm
fi
url=${HEDDLE_SERVER:-http://127.0.0.1:8480}
token_file=${HEDDLE_TOKEN_FILE:-/etc/heddle/slurm.token}
: "${SLURM_JOB_ID:?is set by Slurm}" "${SLURM_JOB_NODELIST:?is set by Slurm}"
# Keys 0x1 to 0x7ffe; two running jobs that come with one key are refused by the controller.
# Variables of this file are used by those that source it.
# shellcheck disable=SC2034
key=$(printf '0x%x' $((SLURM_JOB_ID % 32766 + 1)))

# request METHOD PATH [BODY]: fails, with the answer on standard error, unless the status is 2xx.
# The token goes in by a file descriptor, so that the list of processes does not show it.
request() {
  local answer status header=()
  if [ -r "$token_file" ]; then
    header=(-H @<(printf 'Authorization: Bearer %s' "$(cat "$token_file")"))
  fi
  answer=$(curl -sS --globoff --max-time 30 --retry 3 --retry-connrefused -w '\n%{http_code}' \
    -X "$1" "${header[@]}" -H 'Content-Type: application/json' ${3:+--data "$3"} "$url$2") || return 1
  status=${answer##*$'\n'}
  if [ "${status:0:1}" != 2 ]; then
    printf 'heddle: %s %s: %s\n' "$1" "$2" "$answer" >&2
    return 1
  fi
}
