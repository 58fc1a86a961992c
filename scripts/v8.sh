#!/bin/sh
# Fills .v8/ with V8 for the build: the headers, libnode, and the libraries that
# libnode needs, unpacked from Debian 12's own signed packages. It uses package
# lists of its own, so any user can run it and the system stays as it is.
#
# libnode-dev is not installed the usual way because it depends on Debian's
# nodejs, which machines with NodeSource's nodejs refuse.
#
# .v8/ appears in one step when it is complete. To fetch again, remove it.
set -eu

packages='libnode-dev libnode108 libuv1 libc-ares2 libnghttp2-14 libicu72 libbrotli1 libssl3 zlib1g'

die() {
	echo "make v8: $*" >&2
	exit 1
}

is_complete() {
	[ -f .v8/versions ] && [ -f .v8/usr/include/node/v8.h ] &&
		ls .v8/usr/lib/*/libnode.so >/dev/null 2>&1
}

cd "$(dirname "$0")/.."
is_complete && exit 0

[ "$(uname -s)" = Linux ] || die "needs Linux (Debian 12); this is $(uname -s)"
for tool in apt-get dpkg dpkg-deb; do
	command -v "$tool" >/dev/null || die "$tool not found; V8 comes from Debian 12's packages, so build on Debian 12 or in a container of it"
done
release=$(. /etc/os-release && echo "${ID:-unknown} ${VERSION_CODENAME:-unknown}")
[ "$release" = 'debian bookworm' ] || die "V8 comes from Debian 12 (debian bookworm); this is $release. Build on Debian 12 or in a container of it"
arch=$(dpkg --print-architecture)
case $arch in
amd64) triplet=x86_64-linux-gnu ;;
arm64) triplet=aarch64-linux-gnu ;;
*) die "architecture $arch is not supported; use amd64 or arm64" ;;
esac

# The folder ignores itself, so that a killed run leaves nothing for git to add.
work=$(mktemp -d "$PWD/.v8.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
echo '*' >"$work/.gitignore"
mkdir -p "$work/apt/lists/partial" "$work/apt/archives/partial" "$work/debs" "$work/v8"
: >"$work/apt/status"
cat >"$work/apt.conf" <<CONF
Dir::State "$work/apt";
Dir::State::status "$work/apt/status";
Dir::Cache "$work/apt";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "2";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
CONF

# shellcheck disable=SC2086 # $packages is a list
fetch() {
	cd "$work/debs" &&
		apt-get -c "$work/apt.conf" -q update &&
		apt-get -c "$work/apt.conf" -q download $packages
}
echo 'make v8: fetching V8 from Debian (37 MB)'
(fetch) >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	die "could not fetch the packages (apt-get's output is above). Is there a network, and does /etc/apt list Debian's bookworm and bookworm-security?"
}

for deb in "$work"/debs/*.deb; do
	dpkg-deb -x "$deb" "$work/all"
	dpkg-deb -W --showformat='${Package} ${Version} ${Architecture}\n' "$deb" >>"$work/v8/versions"
done

# Keep the headers, the libraries side by side, and their licences.
mkdir -p "$work/v8/usr/include" "$work/v8/usr/lib/$triplet" "$work/v8/usr/share/doc"
mv "$work/all/usr/include/node" "$work/v8/usr/include/"
for dir in "$work/all/lib/$triplet" "$work/all/usr/lib/$triplet"; do
	find "$dir" -maxdepth 1 -name 'lib*.so*' -exec mv -t "$work/v8/usr/lib/$triplet" {} +
done
rm -f "$work/v8/usr/lib/$triplet"/libicutest.* "$work/v8/usr/lib/$triplet"/libicutu.* "$work/v8/usr/lib/$triplet"/libicuio.*
for dir in "$work"/all/usr/share/doc/*/; do
	if [ -f "$dir/copyright" ]; then
		mkdir "$work/v8/usr/share/doc/$(basename "$dir")"
		mv "$dir/copyright" "$work/v8/usr/share/doc/$(basename "$dir")/"
	fi
done

# An incomplete .v8/ makes way; a complete one was made by a run beside this one.
is_complete && exit 0
if [ -e .v8 ]; then mv .v8 "$work/old"; fi
mv -T "$work/v8" .v8 || is_complete || die 'could not put .v8/ in its place'
is_complete || die '.v8/ lacks v8.h or libnode.so: the packages are not laid out as expected'
echo "make v8: $(grep '^libnode-dev ' .v8/versions) is in .v8/"
