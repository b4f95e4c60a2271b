# Sourced by ./heddle and dev/package, which say and die. find_jdk sets jdk and jdk_build.
# shellcheck shell=bash
# shellcheck disable=SC2034 # used by those that source it
jdk=
jdk_build=
# Takes a JDK directory if its release file says 25 and it has a java to run.
try_jdk() {
  local line version='' build=''
  [ -r "$1/release" ] && [ -x "$1/bin/java" ] || return 1
  while IFS= read -r line; do
    case $line in
      JAVA_VERSION=*) version=${line#*=} ;;
      JAVA_RUNTIME_VERSION=*) build=${line#*=} ;;
    esac
  done <"$1/release"
  case $version in
    '"25"' | '"25.'*) ;;
    *) return 1 ;;
  esac
  jdk=$1
  build=${build:-$version}
  jdk_build=${build//[!A-Za-z0-9._+-]/}
}

find_jdk() {
  local home
  if [ -n "${HEDDLE_JAVA_HOME:-}" ]; then
    try_jdk "$HEDDLE_JAVA_HOME" || die "HEDDLE_JAVA_HOME=$HEDDLE_JAVA_HOME is not a JDK 25"
    return
  fi
  for home in "${JAVA_HOME:-}" "${JAVA25_HOME:-}" "${JAVA_25_HOME:-}" "${JDK_25:-}" \
    /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
    "${SDKMAN_DIR:-${HOME:-/nonexistent}/.sdkman}"/candidates/java/* \
    "${HOME:-/nonexistent}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME:-/nonexistent}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home; do
    if [ -n "$home" ] && try_jdk "$home"; then
      return
    fi
  done
  say "no JDK 25 found (looked at JAVA_HOME, JAVA25_HOME, /usr/lib/jvm, ~/.sdkman, ~/.jdks)."
  say "Install one, for example: apt-get install temurin-25-jdk, or: sdk install java 25-tem"
  die "or point HEDDLE_JAVA_HOME at one."
}
