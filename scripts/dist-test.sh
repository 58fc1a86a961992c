#!/bin/sh
# Tries a tarball of scripts/dist.sh as somebody would who has nothing else: in
# a folder of its own, with an empty environment.
#
#	scripts/dist-test.sh TARBALL
set -eu

die() {
	echo "dist-test: $*" >&2
	exit 1
}

tarball=$(realpath "${1:?usage: dist-test.sh TARBALL}")
checkout=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$work"
tar -xzf "$tarball"
mv ddsabench-* 'a folder'
program="$work/a folder/ddsabench"

rpath=$(readelf -d "$program" | sed -n 's/.*(RPATH).*\[\(.*\)\]$/\1/p')
[ "$rpath" = '$ORIGIN/lib' ] || die "libraries are looked for in '$rpath', not in \$ORIGIN/lib"
! grep -qF "$checkout/" "$program" || die "the program names the checkout $checkout"
env -i LD_TRACE_LOADED_OBJECTS=1 "$program" >libs
! grep 'not found' libs || die 'libraries are missing'
# All that is shipped is used, and nothing else than the C and C++ runtimes
# comes from the system.
for lib in 'a folder'/lib/*; do
	grep -qF "$work/$lib" libs || die "$lib is shipped and not loaded"
done
if grep -vF "$work/a folder/lib/" libs | grep -vE '(linux-vdso|ld-linux-[^ ]+|libstdc\+\+|libgcc_s|libc|libm|libdl|libpthread|librt|libresolv)\.so'; then
	die 'these libraries come from the system'
fi

mkdir src
echo 'var a = 1;' >src/a.js
env -i "$program" --version >version
grep -q 'V8 ' version || die "--version says: $(cat version)"
for setting in legacy ddsa; do
	for isolation in process thread; do
		env -i DDSA_RUNTIME=$setting "$program" analyze src --isolation $isolation --format csv >found ||
			die "analyze ended with $?"
		grep -q '^a.js,JAVASCRIPT,1,1,1,4,WARNING,.*no-var,violation,' found || die "analyze found: $(cat found)"
	done
done
(cd / && env -i "$program" rules test) | grep -q ' 0 failed' || die 'rules test failed'
echo "dist-test: $(basename "$tarball") works: $(cat version)"
