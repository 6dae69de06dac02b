# make demo    sets up, builds, and checks the bundled example and its repaired version
# make test    sets up, builds, and runs every test
# make quick   after a change: the unit tests and a small part of each other kind of test; sets nothing up
# make build   the release binary, target/release/selvedge
# make fuzz    looks for mistakes of Selvedge, FUZZ_SECONDS for each kind of case, from case FUZZ_SEED on
# make clients checks programs that use public libraries beside their native runs; downloads the libraries
# make bench   figures beside LLVM's interpreter and native code
# make install puts selvedge and cargo-selvedge into PREFIX/bin, and what belongs to them into PREFIX/share
# make dist    an archive for machines without LLVM, in target/dist
# make book    the book as web pages, in target/book; installs mdBook into target/tools
# make setup   system packages and the sources of the C++ library

CARGO ?= cargo
SELVEDGE = target/release/selvedge

# The bank's books agree with the first of these schedules and not with the second.
DEMO_PASSING_SEED ?= 1
DEMO_FAILING_SEED ?= 0

FUZZ_SECONDS ?= 600
FUZZ_SEED ?= 1000

# What `make quick` runs of the test programs of the command line and of the oracle, and of the corpus.
QUICK_TESTS = architecture:: corpus:: oracle::programs_that_went_wrong readme::tables readme::the_readme \
	cli::a_violation_is_recorded_and_replayed second::what_is_verified_is_confirmed \
	formulas::solutions graphs::counted graphs::families known::litmus
QUICK_CORPUS = corpus/c/library/string_search.c corpus/c/instructions/shifts.c corpus/c/errors/double_free.c \
	corpus/c/threads/mutex_counter.c corpus/cpp/bad_lost_update.cpp corpus/rust/arc_weak.rs \
	corpus/check/bugs/c/peterson_relaxed.c corpus/check/bugs/cpp/spin_mutex.cpp corpus/check/bugs/rust/lock_order \
	corpus/check/search/observer corpus/check/strategies/race_b corpus/check/sharing/list.c \
	corpus/check/spurious/if_pthread.c corpus/check/mca/handed_on.c corpus/check/rc11/message_passing.c \
	corpus/check/rc11/sync/barrier.c corpus/check/inputs/paths/dekker.c

PREFIX ?= $(HOME)/.local
# Without its server and its search: that is half of the time that it takes to build.
MDBOOK ?= 0.5.4

CLIENT_SECONDS ?= 60
CLIENT_RUNS ?= 300

.PHONY: bench book build clients demo dist fuzz install quick setup test

build: setup
	@echo "== build"
	@$(CARGO) build --release --quiet -p selvedge

install: build
	@install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/share/doc/selvedge
	@install target/release/selvedge target/release/cargo-selvedge $(DESTDIR)$(PREFIX)/bin
	@ln -sf selvedge $(DESTDIR)$(PREFIX)/bin/selvedge-cc
	@ln -sf selvedge $(DESTDIR)$(PREFIX)/bin/selvedge-c++
	@install -m 644 include/selvedge.h $(DESTDIR)$(PREFIX)/include
	@$(SELVEDGE) share $(DESTDIR)$(PREFIX)/share
	@cp -R docs $(DESTDIR)$(PREFIX)/share/doc/selvedge
	@echo "selvedge and cargo-selvedge are in $(DESTDIR)$(PREFIX)/bin"
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo "which is not in PATH: export PATH=\"$(PREFIX)/bin:\$$PATH\"";; esac

dist: build
	@tools/dist

book:
	@test -x target/tools/bin/mdbook || $(CARGO) install --quiet --locked --root target/tools mdbook --version $(MDBOOK) --no-default-features
	@target/tools/bin/mdbook build docs
	@echo "the book is target/book/index.html"

test: setup
	@echo "== format and clippy"
	@$(CARGO) fmt --all --check
	@$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	@echo "== build with tests"
	@$(CARGO) test --workspace --no-run --quiet
	@echo "== the book"
	@$(MAKE) --no-print-directory book
	@echo "== tests"
	@$(CARGO) test --workspace --quiet
	@echo "== all passed"

quick:
	@echo "== unit tests"
	@$(CARGO) test --workspace --exclude selvedge-bench --exclude selvedge-fuzz --lib --quiet
	@echo "== a part of the tests of programs, and of those with the oracle"
	@CORPUS="$(QUICK_CORPUS)" $(CARGO) test -p selvedge -p selvedge-oracle --test main --quiet -- $(QUICK_TESTS)
	@echo "== quick ones passed"

fuzz: setup
	@$(CARGO) build --release --quiet -p selvedge-fuzz
	@echo "== check, the programs of which make test takes a part"; \
	failed=0; \
	target/release/selvedge-fuzz check --seed 0 --count 530 || failed=1; \
	target/release/selvedge-fuzz check --seed 7000 --count 500 || failed=1; \
	for mode in csmith abi threads commute check shapes solve terms concolic inputs graphs alike litmus weak programs native loader schedule; do \
		echo "== $$mode, $(FUZZ_SECONDS) s from case $(FUZZ_SEED)"; \
		target/release/selvedge-fuzz $$mode --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED) || failed=1; \
	done; exit $$failed

clients: build
	@clients/fetch target/clients/headers
	@$(CARGO) build --release --quiet -p selvedge-fuzz
	@target/release/selvedge-fuzz clients --seconds $(CLIENT_SECONDS) --runs $(CLIENT_RUNS) --table target/clients/table.md

bench: setup
	@$(CARGO) run --release --quiet -p selvedge-bench -- engine

demo: build
	@echo "== examples/bank.c: is there a schedule that breaks it?"
	$(SELVEDGE) check examples/bank.c; test $$? -eq 1
	@echo "== examples/bank_repaired.c: every schedule"
	$(SELVEDGE) check examples/bank_repaired.c
	@echo "== examples/bank.c: a single run, with a schedule with which nothing goes wrong"
	$(SELVEDGE) run examples/bank.c --seed $(DEMO_PASSING_SEED)
	@echo "== examples/bank.c: a single run, with a schedule that loses money"
	$(SELVEDGE) run examples/bank.c --seed $(DEMO_FAILING_SEED); test $$? -eq 1

setup:
	@tools/setup
