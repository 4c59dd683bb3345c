# Everything a developer runs, by name. `make` alone lists the targets.
.DEFAULT_GOAL := help
SHELL := bash

# The race detector is slow: it runs where goroutines share state.
RACY := ./internal/jobs ./internal/store ./internal/facts ./internal/dataquery ./internal/knowledge ./internal/crawl

HAND_WRITTEN = $$(find . -name '*.go' ! -path './ent/db/*' ! -path './graph/generated/*')
PACKAGES     = $$(go list ./... | grep -v -e /ent/db -e /graph/generated)

##@ Use

.PHONY: run
run: build ## Start the server with demo data
	bin/contentgraph demo

.PHONY: build
build: ## Build bin/contentgraph
	go build -o bin/contentgraph ./cmd/contentgraph

##@ Check

# The whole suite comes last, so that its summary ends the output.
.PHONY: test
test: ## Run all tests, on SQLite and PostgreSQL
	@.ci/packages
	go test -count=1 ./internal/archtest
	@if [ "$$(go env CGO_ENABLED)" = 1 ]; \
	then set -x; go test -race -timeout 10m $(RACY); \
	else echo 'no C compiler: the race detector is left out'; fi
	go test -timeout 10m ./...

.PHONY: lint
lint: ## Check the format of hand-written code, run go vet and staticcheck
	@bad=$$(gofmt -l $(HAND_WRITTEN)); [ -z "$$bad" ] || { printf 'not formatted, run gofmt -w on:\n%s\n' "$$bad"; exit 1; }
	go vet ./...
	go tool staticcheck $(PACKAGES)

.PHONY: verify
verify: ## Generate again and fail when the generated files were stale
	@.ci/verify

.PHONY: bench
bench: ## Measure what counts and write docs/performance.md (20 minutes on a quiet machine)
	go test -run '^$$' -bench 'Validate|Insights' -benchtime 20x ./internal/insight
	CONTENTGRAPH_BENCH_ROWS=$${CONTENTGRAPH_BENCH_ROWS-7000000} \
	go test -run '^$$' -bench . -benchtime 1x -timeout 60m ./internal/bench -args -update

##@ Change

# In this order, because the executor binds to what the others make.
.PHONY: generate
generate: ## Generate the ent client, then the GraphQL executor
	go generate ./ent ./internal/... ./graph/...

.PHONY: migration
migration: ## Write the SQL that the ent schema lacks: make migration name=add_draft_language
	@[ -n "$(name)" ] || { echo 'usage: make migration name=add_draft_language'; exit 1; }
	@.ci/packages
	REQUIRE_POSTGRES=1 go test ./ent/migrate -run TestMigrations -count=1 -args -write $(name)

.PHONY: help
help: ## List the targets
	@awk 'BEGIN { FS = ":.*## " } /^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
