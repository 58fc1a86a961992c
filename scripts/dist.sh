#!/bin/sh
# Makes dist/ddsabench-VERSION-ARCH.tar.gz: the program, and below lib/ V8 and
# the libraries that V8 needs. It runs from any folder, without .v8/, where glibc
# and libstdc++ are as new as Debian 12's.
#
#	scripts/dist.sh VERSION
set -eu

version=${1:?usage: dist.sh VERSION}
cd "$(dirname "$0")/.."
name=ddsabench-$version-$(go env GOARCH)
mkdir -p dist
work=$(mktemp -d "$PWD/dist/.work.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
mkdir -p "$work/$name/lib" "$work/$name/licenses"

# The packages' own flags name this checkout as the place of the libraries.
# The linker gets the program's folder instead: with the old kind of path
# (--disable-new-dtags) libnode's own libraries are found there, too.
cat >"$work/link" <<'LINK'
#!/bin/bash
for flag; do
	shift
	case $flag in -Wl,-rpath,*) ;; *) set -- "$@" "$flag" ;; esac
done
exec "${CXX:-g++}" "$@" "-Wl,-rpath-link,$LIBS" '-Wl,-rpath,$ORIGIN/lib' -Wl,--disable-new-dtags
LINK
chmod +x "$work/link"
for lib in "$PWD"/.v8/usr/lib/*/libnode.so; do
	export LIBS="${lib%/libnode.so}"
done
go build -buildvcs=false -trimpath -o "$work/$name/ddsabench" \
	-ldflags "-s -w -X main.commit=$version -linkmode external -extld '$work/link'" ./cmd/ddsabench

for lib in .v8/usr/lib/*/lib*.so.*; do
	soname=$(readelf -d "$lib" | sed -n 's/.*(SONAME).*\[\(.*\)\]$/\1/p')
	case $lib in */"$soname") cp -L "$lib" "$work/$name/lib/" ;; esac
done

# What is given on has to bring its licences.
cp LICENSE README.md "$work/$name/"
for doc in .v8/usr/share/doc/*/copyright; do
	package=$(basename "$(dirname "$doc")")
	cp "$doc" "$work/$name/licenses/debian-$package"
done
go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' ./cmd/ddsabench | sort -u |
	while read -r module dir; do
		for file in "$dir"/LICENSE* "$dir"/COPYING* "$dir"/NOTICE*; do
			if [ -f "$file" ]; then
				cp --no-preserve=mode "$file" "$work/$name/licenses/go-$(echo "$module" | tr / -)-$(basename "$file")"
			fi
		done
	done
cp "$(go env GOROOT)/LICENSE" "$work/$name/licenses/go"

tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -czf "$work/$name.tar.gz" "$name"
mv "$work/$name.tar.gz" dist/
echo "dist/$name.tar.gz"
