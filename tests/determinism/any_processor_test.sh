#!/bin/bash
# The stored hashes hold on a processor without fused multiply-add as well: the C library is told to use
# the versions of its functions for such a machine. (talus::portable exists because this once failed.)
set -eu
program="$TALUS_BUILD_DIR/tests/test_determinism"
[ -x "$program" ] || { echo "no $program"; exit 77; }
GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable,-FMA4,-FMA4_Usable \
  "$program" --gtest_brief=1 --gtest_filter='Golden/*'
