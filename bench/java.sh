# Sourced by the scripts here, from the root of the repository: builds what is measured and sets
# java (of a JDK 25), classpath, and jvm: options under which memory is touched before the first
# measurement, because a page fault for every 4 KiB would be most of what is measured.
java=
for home in "${HEDDLE_JAVA_HOME:-}" "${JAVA_HOME:-}" "${JAVA25_HOME:-}" /usr/lib/jvm/*; do
  if [ -r "$home/release" ] && grep -q '^JAVA_VERSION="25' "$home/release"; then
    java=$home/bin/java
    break
  fi
done
if [ -z "$java" ]; then
  echo "bench: no JDK 25 found; name it in HEDDLE_JAVA_HOME" >&2
  exit 2
fi
mvn -q -B -pl bench -am -DskipTests process-classes >&2
classpath=bench/target/classes:$(cat bench/target/classpath)
jvm="-Xms3g -Xmx3g -XX:+UseSerialGC -XX:+AlwaysPreTouch --enable-native-access=ALL-UNNAMED"
