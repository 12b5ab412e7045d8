# The commands of this project, under one name each.

.PHONY: demo test vet race bench profile oracle fuzz long ci

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
	go vet ./...
	GOOS=darwin go vet ./...
	GOOS=windows go vet ./...

race:
	go test -race -short -pgo=off $(GOROUTINES)

bench:
	go run ./cmd/selfplay bench

# The profile that the compiler optimises selfplay for. Make it again when the hot
# paths have changed much; a stale one costs speed, never correctness.
profile:
	go test -c -trimpath -o /tmp/engine.test ./engine/cotulenh
	go test -c -trimpath -o /tmp/workers.test ./workers
	cd engine/cotulenh && /tmp/engine.test -test.run '^$$' -test.bench 'RandomPlay|Moves$$|Perft' \
		-test.benchtime 3s -test.cpuprofile /tmp/engine.prof
	cd workers && /tmp/workers.test -test.run '^$$' -test.bench 'Play/cotulenh/workers=1' \
		-test.benchtime 3s -test.cpuprofile /tmp/workers.prof
	go tool pprof -proto /tmp/engine.prof /tmp/workers.prof > cmd/selfplay/default.pgo

# The engine against the oracle of the rule book, a quarter of an hour; another
# seed each time.
oracle:
	go test ./engine/cotulenh -run TestOracle -oracle 200000 -oracle-seed $$(date +%s) -timeout 2h

# Every parser, ten minutes each.
fuzz:
	go test ./engine/cotulenh -run '^$$' -fuzz FuzzNotation -fuzztime 10m
	go test ./datasets -run '^$$' -fuzz FuzzPlanFile -fuzztime 10m
	go test ./datasets -run '^$$' -fuzz FuzzCommit -fuzztime 10m

# Every test, three times, in any order, watched by the race detector: an hour
# or two.
long:
	go test -race -shuffle=on -count=3 -timeout 3h ./...

ci:
	.ci/run
