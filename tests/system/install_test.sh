#!/usr/bin/env bash
# An installed talus is a library others can use: installs into a temporary prefix, then builds the
# first numbered example outside the tree, once with find_package(talus) and once with pkg-config.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
cmake --install "$TALUS_BUILD_DIR" --prefix "$prefix" >"$work/install.log" || { cat "$work/install.log"; exit 1; }

# The installed program starts, and knows its version.
"$prefix/bin/talus" --version

# Nothing of src/ is installed, and everything public is.
for header in "$TALUS_SOURCE_DIR"/include/talus/*.h; do
  test -f "$prefix/include/talus/$(basename "$header")"
done
test -f "$prefix/include/talus/version.h"
headers=$(find "$prefix/include" -type f | wc -l)
expected=$(($(ls "$TALUS_SOURCE_DIR"/include/talus/*.h | wc -l) + 1))
[ "$headers" -eq "$expected" ] || { echo "$headers headers installed, $expected expected"; exit 1; }

mkdir "$work/consumer"
cp "$(ls "$TALUS_SOURCE_DIR"/examples/*.cpp | head -n 1)" "$work/consumer/main.cpp"

# 1. CMake
cat >"$work/consumer/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
find_package(talus 0.1 REQUIRED)
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE talus::talus)
CMAKE
cmake -G Ninja -S "$work/consumer" -B "$work/consumer/build" -DCMAKE_PREFIX_PATH="$prefix" \
      -DCMAKE_CXX_COMPILER="$CXX" >"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/consumer/build" >"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
"$work/consumer/build/consumer" >"$work/by_cmake.txt"

# 2. pkg-config
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name talus.pc)")
# shellcheck disable=SC2046 # the flags are words
"$CXX" -std=c++20 "$work/consumer/main.cpp" -o "$work/by_pkg_config" $(pkg-config --cflags --libs --static talus)
"$work/by_pkg_config" >"$work/by_pkg_config.txt"

# The same library, the same bits: the example says the same in both.
test -s "$work/by_cmake.txt"
cmp "$work/by_cmake.txt" "$work/by_pkg_config.txt"
echo "installed, found by CMake and by pkg-config; the example says:"
cat "$work/by_cmake.txt"
