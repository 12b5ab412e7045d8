# The commands of this project under short names. "make" lists them.

.PHONY: help docs notebook build demo test vet lint race bench pair speed labels compare checksums profile verdict oracle fuzz long torture interop learners modelspeed samples formats train loop presets policy tutorial opponents ucigames emulate rules purego chess960 browser pictures units slurm spark ray kubernetes image s3 examples rename renamed scale dist twice ci

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "%-12s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the programs into bin/
	go build -o bin/ ./cmd/...

demo: ## make the dataset of the README's first command, 1,000 searched games in data/demo, and show it
	$(shell grep -m 1 '^go run ./cmd/selfplay run' README.md)
	go run ./cmd/export info data/demo
	go run ./cmd/export head --rows 3 data/demo

test: ## run all tests
	go test ./...

VETTED = linux/amd64 linux/arm64 linux/386 darwin/arm64 windows/amd64 freebsd/amd64

vet: ## check the format, and vet for every supported system
	test -z "$$(gofmt -l .)"
	for t in $(VETTED); do \
		echo "vet for $$t" && GOOS=$${t%/*} GOARCH=$${t#*/} go vet -pgo=off ./... || exit 1; \
	done

lint: ## run golangci-lint, which has to be installed
	GOFLAGS=-pgo=off golangci-lint run

# The packages with goroutines. cmd includes the tests of the programs.
race: ## run the short tests of concurrent packages under the race detector
	go test -race -short -pgo=off ./internal/... ./workers/... ./datasets/... ./cmd/...

bench: ## measure this machine
	go run ./cmd/selfplay bench

pair: ## compare the speed with that of another commit: make pair BASE=COMMIT (half an hour)
	go run ./deploy/speed -base "$(BASE)"

speed: ## measure this machine, and write the tables of docs/lab/speed.md (10 minutes)
	go run ./deploy/speed -write docs/lab/speed.md -pairs 5

labels: ## print how well players label positions, by far longer searches (10 minutes)
	compare/run --labels $(PLAYERS)

compare: ## do the same work with other tools, and write docs/comparison.md (cargo, apt install stockfish fairy-stockfish; 20 minutes)
	compare/run

# The profile is of random games, searches and networks of all games. Make it again when hot paths
# have changed much. An old profile costs speed, never correctness.
PROFILED = RandomPlay|Moves$$|Perft|Captures$$|Evaluate|Play/[a-z]*/workers=1$$|Score/[a-z]*/H=(32|64)
PROFILED := $(PROFILED)|AlphaBeta/(cotulenh|chess)/depth [123]/hash 1|AlphaBeta/contrast/depth 2/hash 1|Nodes/

profile: ## make the profile that the compiler optimises selfplay with
	dir=$$(mktemp -d) && for p in engine/cotulenh engine/chess engine/contrast engine/search engine/nnue workers; do \
		(cd $$p && GODEBUG=asyncpreemptoff=1 go test -run '^$$' -benchtime 2s -bench '$(PROFILED)' \
			-pgo=off -o $$dir/test -cpuprofile $$dir/$$(basename $$p).prof .) || exit 1; \
	done && go tool pprof -proto $$dir/*.prof > cmd/selfplay/default.pgo

# The tables of docs/lab/bitboards.md: time, instructions and branches (valgrind has to be installed),
# rays, sets, and encoding.
verdict: ## compare the two engines of CoTuLenh (15 minutes)
	go build -pgo=off -o bin/bitboards ./compare/bitboards && bin/bitboards && bin/bitboards -counts
	go test ./engine/cotulenh/bitboard -run '^$$' -bench 'RayMethods|Sets' -cpu 1 -count 5
	go test ./encode -run '^$$' -bench CoTuLenhArrays -cpu 1 -count 5

ORACLES = $(addprefix ./,$(sort $(dir $(shell grep -rl --include=*_test.go -w 'func TestOracle' engine))))

oracle: ## compare the engines with simple rule-book oracles, with a new seed (30 minutes)
	go test $(ORACLES) -run TestOracle -oracle 200000 -oracle-seed $$(date +%s) -timeout 2h

FUZZTIME = 10m
# Package and name of every fuzz test.
FUZZ = $(sort $(shell grep -ro --include=*_test.go '^func Fuzz[A-Za-z0-9]*' . | sed -E 's|/[^/]*:func |:|'))

fuzz: ## fuzz every parser for FUZZTIME (10 minutes each)
	for f in $(FUZZ); do \
		go test $${f%%:*} -run '^$$' -fuzz "^$${f##*:}$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x || exit 1; \
	done

# Perft of Contrast to depth 5, CoTuLenh's lists against steps that are played one by one, a
# million plies on both engines of CoTuLenh, alpha-beta against minimax on 500 positions per
# game, the scores after all moves at a million plies per game, reports of 300 games of every preset, then every test three times in random order.
long: ## run the long tests, and all tests under the race detector (1 to 2 hours)
	go test ./engine/contrast -run TestPerft5 -perft5 -v -timeout 1h
	go test ./engine/cotulenh -run TestMovesAgreesWithPlayingEachStep -plies 1000000 -timeout 1h
	go test ./engine/cotulenh/bitboard -run 'TestEngines(PlayInStep|AgreeOnCrowded)' -plies 1000000 -timeout 1h
	go test ./engine/search -full -timeout 1h
	go test ./engine/chess ./engine/contrast ./engine/cotulenh -run 'Laws/scores_after|Laws/(after|before)/scores_after' -leaves 1000000 -timeout 1h
	go test ./cmd/program -run TestPresetsPassTheirReport -presets 300 -timeout 2h
	go test -race -shuffle=on -count=3 -timeout 3h ./...

# The results of every kind of search over 10,000 positions per game, with and without a network.
checksums: ## compare the results of searches with the frozen ones (2 minutes)
	go test ./engine/search -run FrozenChecksums -checksums 10000 -timeout 1h

# Every disk error and power cut, 200 kills, 100 signals, 100 races of two writers, 50 runs of
# four tasks, 200 runs on a full disk, 2,000 damaged files given to every command, and one run
# watched for 30 minutes.
torture: ## break datasets in every known way (2 hours)
	go test ./datasets -run 'EveryDiskError|Repair|VerifyDuringARun|FlippedText' -torture -timeout 3h
	go test ./cmd/program -run 'AnyMoment|TwoWriters|FourTasks|ClockMoved|FullFileSystem|DamagedFiles|PlanAndModel|KillsRepeat' -torture -v -timeout 3h
	go test ./cmd/program -run 'Damage|Misplaced|WrongGames' -damage 2000 -v -timeout 2h
	go test ./cmd/program -run 'Soak' -soak 30m -v -timeout 1h

docs: ## run every command of the guide in a fresh clone (PYTHON has PyTorch for all of them)
	docs/check

# What a dataset depends on: moves, scores, records, draws, encodings, files, and games of every
# kind of player. The golden files come from amd64.
emulate: ## run the golden tests for arm64 in an emulator (qemu-user has to be installed)
	GOARCH=arm64 CGO_ENABLED=0 go test -pgo=off -exec qemu-aarch64 -run Frozen \
		./engine/... ./encode/... ./workers ./datasets/... ./cmd/...

# PYTHON has the packages of interop/requirements.txt.
rules: build ## 10,000 random games of every game in Python, and 20 kills of runs with a model (PYTHON has pytest)
	RULES_GAMES=10000 MODEL_KILLS=20 RULES_PROGRAM=$(CURDIR)/bin/selfplay PYTHONPATH=python/src \
		"$$PYTHON" -m pytest -q python/tests -k 'imported or kills'

# PYTHON has NumPy and pyarrow.
notebook: build ## execute the notebook of python/examples
	dir=$$(mktemp -d) && RULES_PROGRAM=$(CURDIR)/bin/selfplay PYTHONPATH=python/src \
		"$$PYTHON" interop/notebook.py python/examples/first_steps.ipynb $$dir && rm -rf $$dir

purego: ## test networks without the vectors of the processor
	go vet -tags purego -pgo=off ./engine/nnue
	go test -tags purego -pgo=off ./engine/nnue
	go test -tags purego -pgo=off ./cmd/program -run 'Frozen|Network'

# PYTHON has the package chess.
chess960: build ## compare a million positions of Chess960 with python-chess (20 minutes)
	"$$PYTHON" interop/chess960.py bin/selfplay 1000000 $$(date +%s)

interop: ## read datasets in every tool, PyTorch and Croissant included (installs 6 GB for the run)
	interop/run --all

samples: build ## make examples/samples again (PYTHON has pandas)
	examples/samples/make

learners: build ## train a few steps with the learners of others (PYTHON has interop/requirements-learners.txt)
	RULES_PROGRAM=$(CURDIR)/bin/selfplay PYTHONPATH=python/src "$$PYTHON" interop/learners.py

modelspeed: build ## compare models in a run with models in a bare loop (PYTHON has onnx and onnxruntime too; 30 minutes)
	OMP_NUM_THREADS=1 PYTHONPATH=python/src "$$PYTHON" interop/modelspeed.py bin/selfplay

people: build ## replay 700 games of CoTuLenh that export writes as PGN, by a reader of docs/cotulenh-pgn.md (3 minutes)
	dir=$$(mktemp -d) && \
	bin/selfplay run --quiet --game cotulenh --player random --games 500 --shard-games 100 --out $$dir/random && \
	bin/selfplay run --quiet --game cotulenh --player ab:nodes=300,hash=1 --opening-plies 4-10 --explore-moves 4 \
		--games 200 --shard-games 50 --out $$dir/searched && \
	"$$PYTHON" interop/cotulenhpgn.py bin/export $$dir/random $$dir/searched && rm -rf $$dir

formats: ## read chess with the crates of trainers: bulletformat, viriformat, sfbinpack (cargo has to be installed)
	interop/run --formats

# PYTHON has the packages of train/requirements.txt and train/requirements-test.txt.
train: ## check the trainer with ruff, mypy and pytest (PYTHON names a Python that has them)
	cd train && "$$PYTHON" -m ruff check . && "$$PYTHON" -m mypy
	train/python -m pytest -q train/tests

loop: build ## make two small generations of networks in every game (PYTHON has PyTorch; minutes)
	dir=$$(mktemp -d) && for g in chess contrast cotulenh; do \
		train/loop --short --game $$g --program bin/selfplay --out $$dir/$$g || exit 1; \
	done && rm -rf $$dir

presets: build ## measure the presets, and write docs/lab/presets.md and their models of scores (PYTHON has PyTorch and pyarrow; 4 hours of CPU time)
	train/presets --write --program bin/selfplay --match-games 200 --teach 300 --seed $(or $(SEED),55401) --out data/presets

policy: build ## train a policy against the player random in Contrast (PYTHON has PyTorch, Gymnasium, pyarrow; minutes)
	RULES_PROGRAM=$(CURDIR)/bin/selfplay PYTHONPATH=python/src "$$PYTHON" python/examples/masked_policy.py bin/policy.pt

tutorial: ## learn and play as docs/tutorial.md says (PYTHON has PyTorch and pyarrow; minutes)
	docs/check --tutorial

ucigames: build ## play 200 games as a UCI engine against others (apt install stockfish toga2)
	"$$PYTHON" interop/ucigames.py bin/selfplay 100 stockfish toga2

opponents: ## play against Stockfish and Fairy-Stockfish (apt install stockfish fairy-stockfish)
	go test -tags opponents ./cmd/program -run Opponents -v

s3: ## test object stores against a real server on this machine (builds versitygw, minutes the first time)
	interop/s3

# AXE may name a file of another version of axe-core.
browser: ## test the pages of selfplay serve in Chromium (apt install chromium; npm fetches axe-core)
	dir=$$(mktemp -d) && (cd $$dir && npm pack --silent axe-core@4.14.1 && tar xzf axe-core-*.tgz) && \
		cd cmd/internal/serve/pages/browser && AXE=$${AXE:-$$dir/package/axe.min.js} go test -count=1 -timeout 1h . && rm -rf $$dir

pictures: ## run the README's first command, and take the pictures of README and docs/serve.md (apt install chromium; 5 minutes)
	cd cmd/internal/serve/pages/browser && go test -count=1 -timeout 1h -run 'TestPictures$$' -pictures .
	go test ./cmd/internal/board -run 'TestPictureOfTheReadme$$' -update

units: ## check the units of deploy/systemd with systemd-analyze, which has to be installed
	command -v systemd-analyze
	go test -pgo=off ./cmd/program -run 'Service|Units' -v

slurm: ## make a dataset on a Slurm cluster of one node (apt install munge slurmctld slurmd slurm-client)
	deploy/slurm/test

spark: ## make a dataset on a Spark cluster of two workers (needs Java 17; installs 520 MB for the run)
	deploy/spark/test

ray: ## make a dataset on a Ray cluster of two nodes (installs 230 MB for the run)
	deploy/ray/test

kubernetes: ## check the manifests for Kubernetes, and run their commands
	cd deploy/kubernetes && go vet ./... && go test -count=1 ./...

image: ## build the container image and run it (apt install buildah skopeo umoci; needs root)
	deploy/image/test

examples: ## test the example modules
	for m in examples/*/go.mod; do (cd $$(dirname $$m) && go vet ./... && go test ./...) || exit 1; done

rename: ## give the module the path MODULE=host/owner/selfplay, from which others can fetch it
	go run ./deploy/rename "$(MODULE)"

# A copy of the tree, so that nothing here changes.
renamed: ## prove that a renamed module builds and passes its tests (15 minutes)
	dir=$$(mktemp -d) && git ls-files -z | xargs -0 cp --parents -t $$dir && cd $$dir && git init -q . && \
		go run ./deploy/rename example.com/lab/selfplay && \
		go build ./... && go vet ./... && go test ./... && $(MAKE) examples && rm -rf $$dir

# 100,000 shards take 3 GB and 300,000 files in TMPDIR: a folder in memory is fastest.
scale: ## measure the bookkeeping of 1,000, 10,000 and 100,000 shards (10 minutes)
	go run ./deploy/scale -shards 100000

dist: ## build the release archives and the wheels of the last commit in dist/
	rm -f dist/selfplay-*
	go run ./deploy/dist
	deploy/dist/wheels
	cd dist && sha256sum --check SHA256SUMS

# TARGETS are systems and processors, linux/amd64 and windows/amd64 by default.
twice: ## make archives, wheels and image of the last commit twice, and compare the bytes (10 minutes; image: apt install buildah)
	deploy/dist/twice $(TARGETS)

ci: ## run what CI runs
	.ci/run
