#!/usr/bin/env bash
# Installs what is missing, configures build/ and builds in it. Used by ./run and ./test, which
# share one configuration so that neither undoes the other's work.
#
#   tools/build.sh            the program build/talus
#   tools/build.sh --tests    the program, the tests, the examples and the benchmarks; installs a browser
#                             to test the viewer in, unless --no-browser follows
#
# Everything it says goes to standard error: standard output belongs to the program.
set -euo pipefail
exec 1>&2
cd "$(dirname "${BASH_SOURCE[0]}")/.."

groups=(build)
options=(-DCMAKE_BUILD_TYPE=Release)
targets=(talus_cli)
if [ "${1:-}" = --tests ]; then
  groups+=(test)
  [ "${2:-}" = --no-browser ] || groups+=(browser)
  options+=(-DTALUS_TESTS=ON -DTALUS_EXAMPLES=ON -DTALUS_BENCHMARKS=ON)
  targets=(all)
fi

# One line of the configuration, empty when it is not there.
cached() {
  sed -n "s/^$1:[A-Z]*=//p" build/CMakeCache.txt 2>/dev/null
}

# A cache made by another generator, or for a tree that has been moved or copied, is of no use.
drop_foreign_cache() {
  [ -f build/CMakeCache.txt ] || return 0
  if [ "$(cached CMAKE_GENERATOR)" != Ninja ] || [ "$(cached CMAKE_HOME_DIRECTORY)" != "$PWD" ]; then
    echo "talus: build/ was configured elsewhere; configuring it anew"
    rm -rf build/CMakeCache.txt build/CMakeFiles
  fi
}

configure() {
  if command -v ccache >/dev/null 2>&1 && ccache --show-stats >/dev/null 2>&1; then
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  echo "talus: configuring build/"
  cmake -G Ninja -S . -B build "${options[@]}" >build/configure.log 2>&1 || {
    cat build/configure.log
    echo "talus: the configuration failed (see above)"
    exit 1
  }
}

# A compiler wants up to a gigabyte: no more of them at once than there is memory for.
jobs_at_once() {
  local cores gigabytes
  cores=$(nproc)
  gigabytes=$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo)
  [ "$gigabytes" -ge 1 ] || gigabytes=1
  echo $((cores < gigabytes ? cores : gigabytes))
}

tools/install_packages.sh "${groups[@]}"
mkdir -p build
exec 9>build/.lock
flock 9   # two callers at once take turns
drop_foreign_cache
if [ ! -f build/build.ninja ] || [ ! -f build/CMakeCache.txt ] ||
   { [ "${1:-}" = --tests ] && [ "$(cached TALUS_TESTS)" != ON ]; }; then
  configure
fi
# In a terminal ninja keeps one line up to date; in a pipe only trouble is worth reading.
quiet=()
[ -t 1 ] || quiet=(-- --quiet)
if [ ! -x build/talus ]; then
  echo "talus: building in build/ with $(jobs_at_once) jobs; a few minutes the first time"
fi
cmake --build build --target "${targets[@]}" -j "$(jobs_at_once)" "${quiet[@]}" 9>&- || {
  echo "talus: the build failed (see above)"
  exit 1
}
