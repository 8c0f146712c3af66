# Countersign: `make run` to try it, `make test` to prove it.
SHELL := /bin/bash
RELEASE := $(CURDIR)/.build/release/countersign
BUILD_PACKAGES := libevent-dev libcurl4-openssl-dev libssl-dev libyaml-dev zlib1g-dev pkg-config:pkg-config curl:curl
TEST_PACKAGES := tzdata python3:python3 openssl:openssl nginx-light:nginx util-linux:prlimit gcc:cc
BENCH_PACKAGES := nginx-light:nginx libnginx-mod-http-lua lua-cjson wrk:wrk python3:python3 gcc:cc

.PHONY: all deps deps-test deps-bench build run test lint conformance mallocs fuzz test-real test-asan test-tsan bench bench-costs docs clean help

all: build

help:
	@echo 'make run          build, start the demo shop and the gateway in front of it'
	@echo 'make test         everything that must hold: lint, tests, conformance, mallocs, brief fuzzing'
	@echo 'make test-real    qBittorrent, Synapse, devpi and an S3, unmodified, behind the gateway'
	@echo 'make bench        compare with nginx and nginx + Lua, and the functions with C'
	@echo 'make bench-costs  time every function, and compare with what is charged for it (NAME=pairs: some)'
	@echo 'make build | lint | conformance | mallocs | fuzz | test-asan | test-tsan | docs | clean'

# Debian packages that are missing; no registry is asked when none is.
deps:
	@.ci/deps $(BUILD_PACKAGES)
deps-test: deps
	@.ci/deps $(TEST_PACKAGES)
deps-bench: deps
	@.ci/deps $(BENCH_PACKAGES)

# An import that the target does not declare is an error.
build: deps
	swift build -c release --static-swift-stdlib --product countersign --explicit-target-dependency-import-check error

run: build
	@deploy/run-demo.sh

test: deps-test
	@.ci/test

lint:
	@.ci/lint

# On the release binary; COUNTERSIGN names another, FILES picks some: make conformance FILES="session login"
conformance: deps-test
	@COUNTERSIGN=$${COUNTERSIGN:-$(RELEASE)} Tests/Conformance/run.py $(FILES)

mallocs: deps-test
	@COUNTERSIGN=$${COUNTERSIGN:-$(RELEASE)} python3 Tests/Performance/test_mallocs.py

# Real servers behind the gateway. Missing ones are installed: Debian packages, PyPI packages in .build/venv. FILES picks some:
# make test-real FILES="devpi s3". OFFLINE=ok: a server that cannot be had, because no registry can be reached, is no failure.
test-real: deps-test
	@COUNTERSIGN=$${COUNTERSIGN:-$(RELEASE)} Tests/RealServers/run.py $(if $(OFFLINE),--offline-ok) $(FILES)

fuzz: deps
	Tests/Fuzz/run.sh 60

# Each sanitizer has a build folder of its own, so that the others stay warm.
test-asan: deps
	ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/lsan.supp swift test --disable-xctest --sanitize=address --scratch-path .build/asan
test-tsan: deps
	swift test --disable-xctest --sanitize=thread --scratch-path .build/tsan

# What functions take, compared with what `limits.steps` is charged for them.
bench-costs: deps
	swift build -c release --static-swift-stdlib --product CostBench
	.build/release/CostBench $(NAME)

# BENCH picks: make bench BENCH=functions (the CPU time of a signature, against C), BENCH=proxy, BENCH=--strict
bench: build deps-bench
	swift build -c release --static-swift-stdlib --product FunctionBench
	@COUNTERSIGN=$(RELEASE) python3 Tests/Performance/bench.py $(BENCH)

docs: deps
	.ci/docs

clean:
	swift package clean
	rm -rf .build/asan .build/tsan .build/docs .build/run .build/bench.json
