# Sourced by the launchers: how the JVM is started, from a checkout and from a package alike.
# shellcheck shell=bash

# libibumad and SQLite are called directly; without this the JVM warns.
native=(--enable-native-access=ALL-UNNAMED)

# train_heddle JAVA CLASS_PATH CACHE SCRATCH: records an AOT cache, with which the JVM starts fast.
# The module options have to be those of the runs, or the JVM uses only a part of it.
train_heddle() {
  "$1" -XX:AOTCacheOutput="$3" -Xlog:disable -XX:+UseSerialGC "${native[@]}" \
    -cp "$2" org.heddle.cli.StartTraining "$4" >/dev/null 2>&1 </dev/null && [ -s "$3" ]
}

# run_heddle JAVA CLASS_PATH CACHE ARGUMENTS...: becomes the program, with the JVM options of the
# array "more", if there is one.
run_heddle() {
  local java=$1 class_path=$2 aot=$3 jvm run
  shift 3
  # Short commands start fastest with the first compiler only; those that compute need the second.
  jvm=(-XX:+UseSerialGC -XX:-UsePerfData -Xlog:disable "${native[@]}")
  case " ${1:-} " in
    '  ' | ' --version ' | ' -V ' | ' --help ' | ' -h ' | ' help ' | ' engines ' | ' allocators ' | ' completion ' | \
      ' events ' | ' history ' | ' rollback ' | ' token ')
      jvm+=(-XX:TieredStopAtLevel=1) ;;
    ' plan ')
      # Many stages, each too short for what the second compiler costs: without it half the time.
      # Room for new objects, so that the big tables are not copied by one collection after another.
      jvm+=(-XX:TieredStopAtLevel=1 -Xmn200m -XX:+UseTransparentHugePages) ;;
    *)
      # First touching the pages of big tables costs more than computing them; big pages help.
      jvm+=(-XX:+UseTransparentHugePages) ;;
  esac
  case " ${1:-} " in
    '  ' | ' --version ' | ' -V ' | ' --help ' | ' -h ' | ' help ' | ' engines ' | ' allocators ' | ' completion ')
      jvm+=(-Xmx64m) ;;
  esac
  # For one class of ours the JVM's own archive is faster than mapping the cache.
  if [ -s "$aot" ] && [ "${1:-}" != --version ] && [ "${1:-}" != -V ]; then
    jvm+=(-XX:AOTCache="$aot")
  fi
  HEDDLE_TTY_OUT=0
  HEDDLE_TTY_ERR=0
  HEDDLE_TTY_IN=0
  if [ -t 1 ]; then HEDDLE_TTY_OUT=1; fi
  if [ -t 2 ]; then HEDDLE_TTY_ERR=1; fi
  if [ -t 0 ]; then HEDDLE_TTY_IN=1; fi
  export HEDDLE_TTY_OUT HEDDLE_TTY_ERR HEDDLE_TTY_IN
  unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS # each makes the JVM print a line
  # Java decodes file names by the locale: in the C locale (cron) it could not open those with umlauts.
  run=(exec)
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    C | POSIX) run=(exec env LC_ALL=C.UTF-8) ;;
  esac
  # shellcheck disable=SC2086 # HEDDLE_OPTS is split into words on purpose
  "${run[@]}" "$java" "${jvm[@]}" ${more[@]+"${more[@]}"} ${HEDDLE_OPTS:-} -cp "$class_path" \
    org.heddle.cli.Main "$@"
}
