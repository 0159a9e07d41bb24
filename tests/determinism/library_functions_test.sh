#!/bin/bash
# Nothing that enters the motion calls a function of the C library whose last bit depends on the processor: those it has in several versions,
# and those long double ones that are an instruction of the processor. The objects of the engine and of the scenes say what they call.
set -eu
cd "$TALUS_BUILD_DIR"
names='sin|cos|tan|sincos|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|tgamma|lgamma|erf|erfc'
named='asinl|acosl|atanl|atan2l|sinhl|coshl|tanhl|asinhl|acoshl|atanhl|expl|exp2l|expm1l|logl|log2l|log10l|log1pl|powl|cbrtl'
objects=$(find CMakeFiles/talus_engine.dir/src CMakeFiles/talus_lab.dir/src/scene -name '*.o')
[ -n "$objects" ] || { echo "no objects in $PWD/CMakeFiles"; exit 77; }
found=$(nm -A -u $objects | sed 's/@.*//' | grep -E " U (__)?($names|$named)(f|_finite)?$") || { echo "none of $(echo "$objects" | wc -l) objects calls one"; exit 0; }
echo "use math/portable.h or math/sin_cos.h instead of:"
echo "$found"
exit 1
