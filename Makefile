.DEFAULT_GOAL := help
.PHONY: help run build test test-fast proofs generate verify lint bench fuzz drill disk chaos clients

# Two checkouts share what was built, whatever their folders are called.
export GOFLAGS := -trimpath $(GOFLAGS)

# Without git, or in a checkout that belongs to another user, the commit cannot be recorded.
stamp := $(shell git rev-parse HEAD >/dev/null 2>&1 || echo -buildvcs=false)

help: ## Say what can be made
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
	@go build $(stamp) -o bin/reelgraph ./cmd/reelgraph

race = CGO_ENABLED=1 GORACE=atexit_sleep_ms=100 go test -race -gcflags=golang.org/x/crypto/argon2=-race=false -vet=off -timeout 40m

test: ## Install what is missing, and run every test with the race detector
	@sh scripts/install.sh test
	@# All but argon2, a library of one goroutine here, whose 19 MiB a password would be 76 MiB of the detector's.
	@# One package more at a time than there are processors: tests also wait, for clocks and for other programs.
	@# The detector sleeps for a second at the end of every process, which each package and each server of a test is.
	@# Browsers play films in real time, so their tests come last, when nothing else uses the processors.
	$(race) -p $$(($$(getconf _NPROCESSORS_ONLN) + 1)) $$(go list ./... | grep -vE '/(pages|web/graphiql|web/reference|clients)$$')
	$(race) -p 1 ./pages ./web/graphiql ./web/reference

# What needs a browser, FFmpeg's films, the media corpus, stock clients or every field of everything takes minutes.
slow := pages|web/.*|clients|cmd/reelgraph|workers|test/(films.*|testkit/footage|conformance|.*/exhaustive)|internal/(engine/.*|extracts|speech)

test-fast: ## Run the tests that need no browser and no media, without the race detector (90 s after a change)
	@sh scripts/install.sh test
	go test -vet=off $$(go list ./... | grep -vE '^[^/]+/[^/]+/[^/]+/($(slow))$$')

# The tests that do less under the race detector, and where they are. A test of test/repolint compares them with the sources.
proofs := TestCompiledQueriesAnswerTheSame TestContactSheet TestEveryCharacterCase TestEveryClassCombination TestEveryField TestFiguresEqualTheModel TestHugeLettersAreDrawnSoon TestLayoutIsLinear TestLongTextsAreLinear TestLongestTextsAreDrawnSoon TestManyTimelines TestRights TestStatementsDoNotGrow TestStatementsOfEditsDoNotGrow TestStatementsOfPayloadsDoNotGrow TestVideosAreWalkedAsTheyStood
proven := ./test/graph/... ./internal/analytics ./internal/engine/compositor/... ./internal/video/plan ./test/rest/...

proofs: ## Run whole what `make test` takes a part of, as the race detector is too slow for it
	@sh scripts/install.sh test
	go test -vet=off -run "^($$(echo $(proofs) | tr ' ' '|'))$$" $(proven)
	CGO_ENABLED=1 go test -race -vet=off -tags purego ./internal/engine/compositor

clients: ## Let stock clients use a real server, compare what they read with curl, and see every check fail once
	@sh scripts/install.sh clients
	go test -vet=off -count 1 -v ./clients

generate: ## Write the generated code anew
	go generate ./...

verify: ## Fail when generated files are stale, the API breaks clients, a key is committed, or a library has a known hole
	@sh scripts/verify.sh

fuzz: ## Run every fuzz test for a minute (FUZZ_TIME), one after the other
	sh scripts/fuzz.sh

drill: ## Copy a server while it runs, and restore it where nothing is
	go test ./cmd/reelgraph -run '^TestRestoreDrill$$' -count 1 -v

disk: ## Fill the disk of a server with uploads, and see that it goes on (mounts a small disk, which only root may)
	go test -tags disk ./cmd/reelgraph -run '^TestFullDisk$$' -count 1 -v

lint: ## Run the linters
	go tool -modfile=tools/go.mod golangci-lint run

chaos: ## Kill, stop and starve the product, and see which promises it kept (KILLS=1000 WITHIN=1h SEED=7)
	@sh scripts/install.sh bench
	@go run ./bench/chaos -kills $${KILLS-100} -within $${WITHIN-5m} $${SEED:+-seed $$SEED}

bench: ## Run every measured comparison of bench/
	@sh scripts/install.sh bench
	@set -e; for main in bench/*/main.go; do \
		echo "== $$(dirname "$$main")"; go run "./$$(dirname "$$main")"; \
	done
