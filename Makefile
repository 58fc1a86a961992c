# What people and CI call. Every target works from a fresh clone on Debian 12
# with Go, make, git and g++ (bench: also npm); `make v8` comes first.

GOFUMPT     := mvdan.cc/gofumpt@v0.12.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Go's own version stamp fails in some checkouts (a worktree, a folder of
# another owner), so the commit is passed in and the stamp is off.
COMMIT = $(shell git -c safe.directory='$(CURDIR)' describe --always --dirty --exclude='*' 2>/dev/null || echo unknown)

FUZZTIME ?= 10s

.DEFAULT_GOAL := help
.PHONY: help v8 need-v8 v8-env build test race stress asan fuzz bench lint fmt clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-8s %s\n", $$1, $$2 }' Makefile

v8: ## fetch V8 into .v8/ (37 MB, once)
	@scripts/v8.sh

need-v8:
	@test -f .v8/versions || { echo 'V8 is missing: run "make v8" first' >&2; exit 1; }

v8-env: need-v8 ## print what a program that embeds this module needs to build
	@scripts/v8-env.sh

build: need-v8 ## build bin/ddsabench
	go build -buildvcs=false -ldflags '-X main.commit=$(COMMIT)' -o bin/ddsabench ./cmd/ddsabench

test: need-v8 ## run all tests (5 minutes at most)
	go test -vet off -timeout 5m ./...

race: need-v8 ## run all tests under the race detector
	go test -vet off -race -timeout 15m ./...

stress: need-v8 ## hunt for wrong kills, idle and with all cores busy (some minutes)
	STRESS=1 go test -vet off -count 1 -p 1 -timeout 30m -run Stress -v ./legacy ./ddsa

asan: need-v8 ## run the tests of the C++ side under the address sanitizer
	go test -vet off -asan -timeout 15m ./internal/... ./legacy/... ./ddsa/...

fuzz: need-v8 ## fuzz each reader of untrusted input for FUZZTIME (10s)
	@FUZZTIME=$(FUZZTIME) scripts/fuzz.sh

bench: v8 ## the whole comparison from nothing: V8, build, real files, table
	$(MAKE) build
	bin/ddsabench corpus fetch small
	bin/ddsabench compare

lint: need-v8 ## check format, vet, staticcheck
	@unformatted=$$(go run $(GOFUMPT) -l .) || exit 1; \
	test -z "$$unformatted" || { echo "run make fmt; not formatted:" $$unformatted >&2; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...

fmt: ## format the Go files
	go run $(GOFUMPT) -l -w .

clean: ## remove what was built (not .v8/ nor runs/)
	rm -rf bin dist
