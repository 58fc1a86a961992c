#!/usr/bin/env bash
# Makes a reference run and keeps it in results/DATE-CORPUS: the comparison with
# its counted pass, the counted pass with the C library's stack cache off, the
# same for every 10th, 100th and 1000th file, and one query per rule. The full
# corpus with 10 rounds takes some two hours on 2 cores; nothing else should run.
#
#   CORPUS=small ROUNDS=2 scripts/reference.sh     # a try, in a minute or two
set -euo pipefail
exec </dev/null
cd "$(dirname "$0")/.."

corpus=${CORPUS:-full}
separate_corpus=${SEPARATE_CORPUS:-medium}
rounds=${ROUNDS:-10}
out=${OUT:-results/$(date -u +%F)-$corpus}
cache=(${CACHE:+--cache "$CACHE"})
bench=bin/ddsabench

if [ -e "$out" ]; then
	echo "make reference: $out is there already; move it away or set OUT" >&2
	exit 1
fi
work=$(mktemp -d)
trap 'echo "make reference: what there is so far lies in $work" >&2' EXIT

# compare NAME OPTION...: a comparison, and its record with thinned series.
compare() {
	local name=$1
	shift
	echo "=== $name" >&2
	"$bench" compare "${cache[@]}" --record "$work/raw-$name.jsonl" --out "$work/$name.txt" "$@"
	"$bench" report "$work/raw-$name.jsonl" --format record --out "$work/$name.jsonl"
}

for tier in "$corpus" "$separate_corpus"; do
	"$bench" corpus fetch "$tier" "${cache[@]}"
done
digest=$("$bench" corpus verify "$corpus" "${cache[@]}")

compare record --corpus "$corpus" --rounds "$rounds" --count on
compare stackcache-off --corpus "$corpus" --arms legacy,ddsa,none --rounds 1 --warmup 0 --count on --stack-cache off
for every in 10 100 1000; do
	compare "every-$every" --corpus "$corpus" --every "$every" --rounds "$rounds" --count off
done
compare separate --corpus "$separate_corpus" --arms ddsa,ddsa+separate --rounds "$rounds" --count off

mkdir -p "$out"
mv "$work"/{record,stackcache-off,every-10,every-100,every-1000,separate}.jsonl "$out"
{
	echo "date     $(date -u +%F)"
	echo "program  $("$bench" --version)"
	echo "go       $(go version)"
	echo "system   $(. /etc/os-release && echo "$PRETTY_NAME"), $(uname -srm)"
	echo "cpu      $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
	echo "memory   $(sed -n 's/^MemTotal: *//p' /proc/meminfo)"
	echo "corpus   $corpus, sha256 $digest"
	echo "rounds   $rounds"
	echo "v8       packages:"
	sed 's/^/         /' .v8/versions
} >"$out/manifest.txt"
cat >"$out/README.md" <<README
# The $corpus corpus, $(date -u +%F)

\`manifest.txt\` names the program, the machine and the versions. To make it again, at the commit named there:

    make v8 build
    CORPUS=$corpus ROUNDS=$rounds make reference

\`figures.md\` and the tables beside the records are made from the records by \`go test ./results -update\`, and
\`make results-check\` holds them to that. Series of memory and threads are thinned to 200 points.
README
go test -vet off -count 1 ./results -update
echo "kept in $out: $(du -sh "$out" | cut -f 1)" >&2
trap - EXIT
rm -rf "$work"
