#!/bin/sh
# Runs every fuzz target for FUZZTIME, one after the other.
set -eu

cd "$(dirname "$0")/.."
packages=$(go list ./...)
for package in $packages; do
	targets=$(go test -list '^Fuzz' "$package")
	for target in $(echo "$targets" | grep '^Fuzz'); do
		echo "$package $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-10s}" "$package"
	done
done
