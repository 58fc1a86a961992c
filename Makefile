# What people and CI call. Every target works from a fresh clone on Debian 12
# with Go, make, git and g++ (bench: also npm); `make v8` comes first.

GOFUMPT     := mvdan.cc/gofumpt@v0.12.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Go's own version stamp fails in some checkouts (a worktree, a folder of
# another owner), so the commit is passed in and the stamp is off.
COMMIT = $(shell git -c safe.directory='$(CURDIR)' describe --always --dirty --exclude='*' 2>/dev/null || echo unknown)

FUZZTIME ?= 10s
LOADTIME ?= 10m
SOAK     ?= 1h

.DEFAULT_GOAL := help
.PHONY: help v8 need-v8 v8-env build dist load test race stress long soak overshoot asan fuzz bench microbench peers reference results-check lint fmt clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' Makefile

v8: ## fetch V8 into .v8/ (37 MB, once)
	@scripts/v8.sh

need-v8:
	@test -f .v8/versions || { echo 'V8 is missing: run "make v8" first' >&2; exit 1; }

v8-env: need-v8 ## print what a program that embeds this module needs to build
	@scripts/v8-env.sh

build: need-v8 ## build bin/ddsabench
	go build -buildvcs=false -ldflags '-X main.commit=$(COMMIT)' -o bin/ddsabench ./cmd/ddsabench

dist: need-v8 ## make a tarball in dist/ that runs from any folder, and try it
	@tarball=$$(scripts/dist.sh '$(COMMIT)') && scripts/dist-test.sh "$$tarball"

load: need-v8 ## load the server for LOADTIME (10m) while the flag changes, print figures
	LOADTIME=$(LOADTIME) go test -vet off -count 1 -timeout 2h -run TestLoad -v ./serve/load

test: need-v8 ## run all tests (5 minutes at most)
	go test -vet off -timeout 5m ./...

race: need-v8 ## run all but the longest tests under the race detector
	go test -vet off -short -race -timeout 15m ./...

stress: need-v8 ## hunt for wrong kills, idle and with all cores busy (some minutes)
	STRESS=1 go test -vet off -count 1 -p 1 -timeout 30m -run Stress -v ./legacy ./ddsa

long: need-v8 ## a million executions, 10,000 timeouts: nothing is left behind (some minutes)
	LONG=1 go test -vet off -count 1 -p 1 -timeout 30m -run 'Many|HeapLimitIsRestored' -v ./executor/executortest/hostile ./internal/jsrt

soak: need-v8 ## hostile scripts at random for SOAK (1h), in this process and in workers
	SOAK=$(SOAK) go test -vet off -count 1 -timeout 0 -run TestSoak -v ./executor/executortest/hostile

overshoot: need-v8 ## how late timeouts come, idle and busy (some minutes)
	go test -vet off -run '^$$' -bench Overshoot -benchtime 1000x ./executor/executortest/hostile

asan: need-v8 ## run the tests of the C++ side under the address sanitizer
	go test -vet off -asan -timeout 15m ./internal/... ./legacy/... ./ddsa/...

fuzz: need-v8 ## fuzz each reader of untrusted input for FUZZTIME (10s)
	@FUZZTIME=$(FUZZTIME) scripts/fuzz.sh

bench: v8 ## the whole comparison from nothing: V8, build, real files, table
	$(MAKE) build
	bin/ddsabench corpus fetch small
	bin/ddsabench compare

microbench: need-v8 ## what an execution costs, by rule and watchdog (3 minutes)
	cd bench && MICROBENCH=1 go test -vet off -count 1 -run TestFigures
	cd bench && go test -vet off -short -run '^$$' -bench . -benchtime 0.05s -count 6

peers: need-v8 ## the same work in the vm of Node.js and in ours (20 seconds)
	cd bench && PEERS=1 go test -vet off -count 1 -run TestPeers

reference: build ## the full experiment, kept in results/ (hours; CORPUS=small ROUNDS=2 to try)
	scripts/reference.sh

results-check: ## render every kept record again and compare
	go test -vet off -count 1 ./results

lint: need-v8 ## check format, vet, staticcheck
	@unformatted=$$(go run $(GOFUMPT) -l .) || exit 1; \
	test -z "$$unformatted" || { echo "run make fmt; not formatted:" $$unformatted >&2; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...

fmt: ## format the Go files
	go run $(GOFUMPT) -l -w .

clean: ## remove what was built (not .v8/ nor runs/)
	rm -rf bin dist
