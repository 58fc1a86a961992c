#!/bin/sh
# Prints the cgo flags for a program that imports this module: the module cache
# has no .v8/, so the compiler must be told where this checkout's is.
#
#	eval "$(make -s v8-env)" && go build ./...
set -eu

cd "$(dirname "$0")/../.v8"
for lib in "$PWD"/usr/lib/*/libnode.so; do
	dir=${lib%/libnode.so}
done
# The variable replaces Go's own default, -g -O2. Go takes the inner quotes off.
cat <<ENV
export CGO_CXXFLAGS="-g -O2 '-I$PWD/usr/include/node'"
export CGO_LDFLAGS="'-L$dir' -Wl,--disable-new-dtags '-Wl,-rpath,$dir'"
ENV
