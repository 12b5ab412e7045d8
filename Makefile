# The commands of this project, under one name each.

.PHONY: demo test vet race bench profile oracle fuzz long torture interop ci

# What goroutines run in; cmd includes the programs' own tests.
GOROUTINES = ./workers/... ./datasets/... ./cmd/...

# A dataset of 2,000 games in data/demo, and a look at it.
demo:
	go run ./cmd/selfplay run --game cotulenh --games 2000 --out data/demo
	go run ./cmd/export info data/demo
	go run ./cmd/export head --rows 3 data/demo

test:
	go test ./...

vet:
	test -z "$$(gofmt -l .)"
	go vet -pgo=off ./...
	GOOS=darwin go vet -pgo=off ./...
	GOOS=windows go vet -pgo=off ./...

race:
	go test -race -short -pgo=off $(GOROUTINES)

bench:
	go run ./cmd/selfplay bench

# The profile that the compiler optimises selfplay for: the main game's. One of all
# games together gave none of them more. Make it again when the hot paths have
# changed much; a stale one costs speed, never correctness.
profile:
	dir=$$(mktemp -d) && for p in engine/cotulenh engine/search workers; do \
		(cd $$p && go test -run '^$$' -benchtime 3s \
			-bench 'RandomPlay|Moves$$|Perft|Play/cotulenh/workers=1$$|AlphaBeta/cotulenh/depth [12]/hash 1' \
			-pgo=off -o $$dir/test -cpuprofile $$dir/$$(basename $$p).prof .) || exit 1; \
	done && go tool pprof -proto $$dir/*.prof > cmd/selfplay/default.pgo

# The engines against the oracles of their rule books, half an hour; another seed
# each time.
ORACLES = $(addprefix ./,$(sort $(dir $(shell grep -rl --include=*_test.go -w 'func TestOracle' engine))))
oracle:
	go test $(ORACLES) -run TestOracle -oracle 200000 -oracle-seed $$(date +%s) -timeout 2h

# Every parser, ten minutes each: positions and moves, plans, commit records, journals,
# manifests, both file formats, configurations, batches, players and filters.
FUZZTIME = 10m
# Package and name of every fuzz test.
FUZZ = $(sort $(shell grep -ro --include=*_test.go '^func Fuzz[A-Za-z0-9]*' . | sed -E 's|/[^/]*:func |:|'))

fuzz:
	for f in $(FUZZ); do \
		go test $${f%%:*} -run '^$$' -fuzz "^$${f##*:}$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x || exit 1; \
	done

# Perft of Contrast to depth 5, alpha-beta against minimax on 500 positions a game,
# and every test, three times, in any order, watched by the race detector: an hour
# or two.
long:
	go test ./engine/contrast -run TestPerft5 -perft5 -v -timeout 1h
	go test ./engine/search -full -timeout 1h
	go test -race -shuffle=on -count=3 -timeout 3h ./...

# Every failure of the disk and the power in every way, 200 kills, 100 signals, 100
# races of two writers, 50 of four tasks, a real disk that is full 200 times, 2,000
# damaged files given to every command, half an hour of watching one run: two hours.
torture:
	go test ./datasets -run 'EveryDiskError|Repair|BesideAWriter' -torture -timeout 3h
	go test ./cmd/selfplay -run 'AnyMoment|TwoWriters|FourTasks|ClockMoved|FullFileSystem|DamagedFiles' -torture -v -timeout 3h
	go test ./cmd/internal/export -run 'Damage|Misplaced|WrongGames' -damage 2000 -v -timeout 2h
	go test ./cmd/selfplay -run 'Soak' -soak 30m -v -timeout 1h

# Datasets in every tool, PyTorch and Croissant among them: installs 6 GB for the time
# it runs.
interop:
	interop/run --all

ci:
	.ci/run
