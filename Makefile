# Viva. `make run` starts the demo university, `make test` runs everything.
.PHONY: run build test bench fmt dev gen golden check-go test-go test-web test-e2e setup web clean
SHELL := /bin/bash
VERSION := $(shell git describe --tags --always 2>/dev/null || echo dev)
# One set of flags for all go commands, so that builds and tests share the cache.
export GOFLAGS := -trimpath -buildvcs=false
export CGO_ENABLED := 0
WEB_STAMP := web/node_modules/.package-lock.json
WEB_SRC := $(shell find web/src web/public web/tools -type f -not -path '*/node_modules/*' 2>/dev/null) web/index.html web/package.json web/vite.config.ts web/tsconfig.json

run: build ## build and start the demo on http://127.0.0.1:8080
	bin/viva serve --demo --data data --log data/viva.log

build: bin/viva ## leaves bin/viva

bin/viva: web/dist/index.html $(shell find cmd internal -name '*.go' -o -name '*.sql' -o -name '*.tsv' -o -name '*.txt') web/embed.go go.mod go.sum
	go build -ldflags "-s -w -X main.version=$(VERSION)" -o bin/viva ./cmd/viva

web/dist/index.html: $(WEB_STAMP) $(WEB_SRC)
	cd web && npm run build

$(WEB_STAMP): web/package-lock.json
	cd web && npm ci --no-audit --no-fund && touch node_modules/.package-lock.json

setup: ## install Chromium and PostgreSQL when missing (root), or say what to install
	scripts/setup.sh

test: setup test-web build check-go test-go test-e2e ## everything
	@echo "all tests passed"

check-go: web/dist/index.html
	@test -z "$$(gofmt -l cmd internal bench web/embed.go)" || { gofmt -l cmd internal bench web/embed.go; echo "run make fmt"; exit 1; }
	go vet ./...
	cd scripts/tools && go tool -n staticcheck >/dev/null && cd ../.. && go tool -modfile=scripts/tools/go.mod staticcheck ./...

test-go: web/dist/index.html
	VIVA_TEST_POSTGRES=required go test -timeout 25m ./...

test-web: $(WEB_STAMP)
	cd web && npm run check && npm test && npm run build && npm run budget

test-e2e: bin/viva
	cd e2e && npm ci --no-audit --no-fund && npx playwright test

bench: bin/viva ## floor against ours, one table
	go run ./bench

gen: ## regenerate OpenAPI, call list, entity descriptions and TypeScript types
	go run ./cmd/viva openapi --root .
	cd web && npm run gen

golden: ## accept the reviewed lists after a change
	VIVA_UPDATE_GOLDEN=1 VIVA_TEST_POSTGRES=required go test ./internal/arch ./internal/app ./internal/identity -count=1

fmt:
	gofmt -w cmd internal bench web/embed.go
	cd web && npm run format

dev: bin/viva ## hot reload of the web application against the Go server
	@bin/viva serve --demo --data data --log data/viva.log & pid=$$!; trap "kill $$pid" EXIT; cd web && npm run dev

clean:
	rm -rf bin web/dist/* data
