#!/usr/bin/env bash
# Installs the Debian packages that talus needs and that are not there yet. The only place where
# they are listed.
#
#   tools/install_packages.sh [build] [test]     default: build
#
# Asks apt for nothing when nothing is missing, so it works offline on a prepared machine.
set -euo pipefail

# To build the library and the program.
build_packages=(
  g++ cmake ninja-build pkg-config
  libeigen3-dev libyaml-cpp-dev libfmt-dev nlohmann-json3-dev libcli11-dev
  libhdf5-dev libmuparser-dev libqhull-dev libtbb-dev voro++-dev
)
# To build and run the tests and the benchmarks, on top of those above.
test_packages=(
  libgtest-dev librapidcheck-dev
  libfcl-dev libccd-dev libbullet-dev
  python3 python3-h5py python3-yaml python3-jsonschema
)

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null | cut -c1-2)" = ii ]
}

# Prints the packages among the arguments that are not installed.
missing_of() {
  local package
  for package in "$@"; do
    is_installed "$package" || echo "$package"
  done
}

fail() {
  echo "talus: $*" >&2
  exit 1
}

# Runs a command as root, whoever we are.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    fail "these packages are missing and you are neither root nor have sudo; as root, run:
  apt-get install -y --no-install-recommends ${missing[*]}"
  fi
}

# Runs apt-get quietly; its words are shown only when it fails.
apt_quietly() {
  local log
  log=$(mktemp)
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 \
      -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

wanted=()
for group in "${@:-build}"; do
  case "$group" in
    build) wanted+=("${build_packages[@]}") ;;
    test) wanted+=("${test_packages[@]}") ;;
    *) fail "install_packages.sh: unknown group '$group'; write build or test" ;;
  esac
done

command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1 || {
  echo "talus: no apt here; install by your own means what these Debian packages hold:" >&2
  echo "  ${wanted[*]}" >&2
  exit 0   # the build says what it lacks
}
mapfile -t missing < <(missing_of "${wanted[@]}")
[ "${#missing[@]}" -gt 0 ] || exit 0

echo "talus: installing ${#missing[@]} Debian packages: ${missing[*]}" >&2
apt_quietly update || echo "talus: apt-get update failed (see above); trying with the lists at hand" >&2
apt_quietly install -y --no-install-recommends "${missing[@]}" ||
  fail "could not install: ${missing[*]}. Is the network reachable, and is this Debian 12 or later?"
