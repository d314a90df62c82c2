.DEFAULT_GOAL := help
.PHONY: help run build test test-fast proofs generate verify lint bench fuzz drill disk chaos clients

# Checkouts in different folders share the build cache.
export GOFLAGS := -trimpath $(GOFLAGS)

# Without git, or in a checkout of another user, the commit cannot be recorded.
stamp := $(shell git rev-parse HEAD >/dev/null 2>&1 || echo -buildvcs=false)

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Install what is missing, build, and start the server on http://127.0.0.1:8080
	@sh scripts/install.sh run
	@$(MAKE) --no-print-directory build
	@REELGRAPH_LOG="$${REELGRAPH_LOG-text}" REELGRAPH_WEBHOOK_ALLOW="$${REELGRAPH_WEBHOOK_ALLOW-127.0.0.0/8}" \
	REELGRAPH_SPEECH="$${REELGRAPH_SPEECH-$$(command -v pocketsphinx_continuous >/dev/null && echo pocketsphinx)}" \
	exec bin/reelgraph serve

build: ## Build bin/reelgraph
	@mkdir -p bin
	@echo "building bin/reelgraph"
	@# Without tables for debuggers it links a second sooner; `go build ./cmd/reelgraph` writes them.
	@go build $(stamp) -ldflags=-w -o bin/reelgraph ./cmd/reelgraph

race = CGO_ENABLED=1 GORACE=atexit_sleep_ms=100 go test -race -gcflags=golang.org/x/crypto/argon2=-race=false -vet=off -timeout 40m

test: ## Install what is missing, and run every test with the race detector
	@sh scripts/install.sh test
	@# argon2 is excluded: it runs in one goroutine here, and its 19 MiB a password would cost the detector 76 MiB.
	@# Run one package more than there are processors, because tests also wait for clocks and other programs.
	@# atexit_sleep_ms: the detector otherwise sleeps for a second at the end of every process.
	@# Browsers play films in real time, so their tests run last, alone.
	$(race) -p $$(($$(getconf _NPROCESSORS_ONLN) + 1)) $$(go list ./... | grep -vE '/(pages|web/account|web/graphiql|web/reference|clients)$$')
	$(race) -p 1 ./pages ./web/account ./web/graphiql ./web/reference

# The packages that need a browser, render films, read the media corpus, start clients or walk over every field.
slow := pages|web/.*|clients|cmd/reelgraph|workers|test/(films.*|testkit/footage|conformance|.*/exhaustive)|internal/(engine/.*|extracts|speech)

test-fast: ## Run the tests that need no browser and no media, without the race detector (90 s after a change)
	@sh scripts/install.sh test
	go test -vet=off $$(go list ./... | grep -vE '^[^/]+/[^/]+/[^/]+/($(slow))$$')

# The tests that do less under the race detector, and their packages. A test of test/repolint compares them with the
# sources.
proofs := TestCompiledQueriesAnswerTheSame TestContactSheet TestEveryCharacterCase TestEveryClassCombination TestEveryField TestFiguresEqualTheModel TestHugeLettersAreDrawnSoon TestLayoutIsLinear TestLongTextsAreLinear TestLongestTextsAreDrawnSoon TestManyTimelines TestNodesTakeOneStatementForEachKind TestRights TestStatementsDoNotGrow TestStatementsOfEditsDoNotGrow TestStatementsOfPayloadsDoNotGrow TestVideosAreWalkedAsTheyStood
proven := ./test/graph/... ./internal/analytics ./internal/engine/compositor/... ./internal/video/plan ./test/rest/...

proofs: ## Run in full the tests that `make test` shortens because of the slow race detector
	@sh scripts/install.sh test
	go test -vet=off -run "^($$(echo $(proofs) | tr ' ' '|'))$$" $(proven)
	CGO_ENABLED=1 go test -race -vet=off -tags purego ./internal/engine/compositor

clients: ## Run stock clients against a real server, compare them with curl, and check that every check can fail
	@sh scripts/install.sh clients
	go test -vet=off -count 1 -v ./clients

generate: ## Regenerate the generated code
	go generate ./...

verify: ## Fail on stale generated files, breaking API changes, committed keys, or known vulnerabilities
	@sh scripts/verify.sh

fuzz: ## Run every fuzz test for a minute (FUZZ_TIME), one after the other
	sh scripts/fuzz.sh

drill: ## Back up a running server and restore it elsewhere
	go test ./cmd/reelgraph -run '^TestRestoreDrill$$' -count 1 -v

disk: ## Fill a server's disk with uploads and check that it keeps working (needs root to mount a small disk)
	go test -tags disk ./cmd/reelgraph -run '^TestFullDisk$$' -count 1 -v

lint: ## Run the linters
	go tool -modfile=tools/go.mod golangci-lint run

chaos: ## Kill, stop and starve the product, and check its promises (KILLS=1000 WITHIN=1h SEED=7)
	@sh scripts/install.sh bench
	@go run ./bench/chaos -kills $${KILLS-100} -within $${WITHIN-5m} $${SEED:+-seed $$SEED}

bench: ## Run every benchmark in bench/
	@sh scripts/install.sh bench
	@set -e; for main in bench/*/main.go; do \
		echo "== $$(dirname "$$main")"; go run "./$$(dirname "$$main")"; \
	done
