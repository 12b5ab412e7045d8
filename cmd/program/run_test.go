package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/making"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// TestTranscriptChangesEveryFlagOfThePlan: it shows that a run with another value is refused.
func TestTranscriptChangesEveryFlagOfThePlan(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/transcripts/selfplay/plan.txt"))(t)
	for _, f := range planFlags(catalog.Games) {
		if refused := regexp.MustCompile(`(?m)^5 --.* --` + f.Names()[0] + ` [^ ]+$| --` + f.Names()[0] + ` [^ ]+\nexit 5$`); !refused.Match(text) {
			t.Errorf("--%s is not changed", f.Names()[0])
		}
	}
}

func TestRunIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	dir, games := t.TempDir(), "25"
	for _, game := range encode.Games() {
		for i, flags := range []string{"", "--format arrow", "--layout planes --board-type packed", "--player random:uniform", "--player ab:depth=1,multi=2 --explore-moves 2 --explore-among 2 --max-plies 40", "--player mcts:sims=20,temp=1,noise=0.25 --max-plies 16",
			"--perspective mover --columns +static_score,+legal,+legal_actions,+hash,+repetitions,+move --where !check,!capture,ply>=4,phase=middle|end,!only --keep 0.5 --max-rows-per-game 20"} {
			var want map[string]string
			for _, workers := range []int{1, 5} {
				out := filepath.Join(dir, game.Name, fmt.Sprint(i), fmt.Sprint(workers))
				mustRun(t, append([]string{"run", "--quiet", "--game", game.Name, "--player", "random", "--games", games, "--shard-games", "10", "--validation", "0.4",
					"--workers", fmt.Sprint(workers), "--out", out}, strings.Fields(flags)...)...)
				if want == nil {
					want = tree(t, out)
				}
				mustEqual(t, tree(t, out), want)
			}
		}
	}
}

// TestFilesExplainScores: if a model is fitted to such games, the plan and every file hold
// it; otherwise none does.
func TestFilesExplainScores(t *testing.T) {
	for _, game := range encode.Games() {
		for flags, want := range map[string]bool{
			"--player ab:depth=3,net=none": true, "--player ab:depth=3,hash=1,multi=2,net=none": true, "--player random": false, "--player greedy": false,
			"--player 0.9*random+0.1*ab:depth=3,net=none": false, "--player-first ab:depth=3,net=none --player-second ab:depth=2,net=none": false,
			"--player ab:depth=3,nodes=9,net=none": false, "--player ab:depth=3,net=none --explore-moves 1": false, "--player ab:depth=3,net=none --adjudicate-win 500,2": false,
			"--player ab:depth=3,net=none --adjudicate-draw 5,6,7": false, "--player ab:depth=3,multi=2,temp=50,net=none": false,
		} {
			out := filepath.Join(t.TempDir(), "out")
			mustRun(t, append([]string{"run", "--quiet", "--game", game.Name, "--games", "1", "--max-plies", "12", "--out", out}, strings.Fields(flags)...)...)
			reference := game.ReferenceModel().Metadata()
			model := must.Get(json.Marshal(reference.Value))(t)
			for name, text := range tree(t, out) {
				explained := strings.Contains(text, `1/(1+exp((a-score)/b))`)
				if name == "plan.json" {
					explained = strings.Contains(text, string(model))
				}
				if explained != want && (name == "plan.json" || strings.HasSuffix(name, ".parquet")) {
					t.Errorf("%s of %s: %s explains scores: %t", flags, game.Name, name, explained)
				}
			}
		}
	}
}

// Every engine of a game makes the same datasets, byte for byte: random and searched.
func TestEnginesMakeTheSameDataset(t *testing.T) {
	for _, game := range encode.Games() {
		if len(game.Engines) == 0 {
			continue
		}
		for _, flags := range []string{
			"--games 30", "--games 20 --layout planes --board-type packed --columns +legal_actions,+hash",
			"--games 6 --player ab:depth=1", "--games 4 --player ab:depth=1,hash=1,multi=3 --explore-moves 2 --explore-among 3",
			"--games 2 --player ab:nodes=100,hash=1 --max-plies 60",
			"--games 2 --player mcts:sims=24,temp=1,noise=0.25 --max-plies 24",
		} {
			var want map[string]string
			for _, e := range game.Engines {
				out := filepath.Join(t.TempDir(), e.Name)
				args := append([]string{"run", "--quiet", "--game", game.Name, "--player", "random", "--shard-games", "10", "--engine", e.Name, "--out", out}, strings.Fields(flags)...)
				mustRun(t, args...)
				if want == nil {
					want = tree(t, out)
				}
				mustEqual(t, tree(t, out), want)
			}
		}
	}
}

func TestEnginesGiveTheSameAnswers(t *testing.T) {
	const open = "10c/11/11/11/11/11/11/11/2(NF)1T6/11/11/3C7 r - - 6 1 c4:(NF):e4"
	for _, args := range []string{
		"perft --game cotulenh --depth 2 --divide", "moves --game cotulenh --play Ic5c6",
	} {
		mailbox, bitboard := mustRun(t, strings.Fields(args+" --engine mailbox")...), mustRun(t, strings.Fields(args+" --engine bitboard")...)
		if mailbox != bitboard {
			t.Errorf("%s: %s, on the other engine %s", args, bitboard, mailbox)
		}
	}
	if a, b := mustRun(t, "moves", "--game", "cotulenh", "--position", open), mustRun(t, "moves", "--game", "cotulenh", "--engine", "bitboard", "--position", open); a != b {
		t.Errorf("moves of %s: %s, on the other engine %s", open, b, a)
	}
}

// slowRun returns the arguments of a run whose decisions take a fiftieth of a second, and its games about a third.
func slowRun(out string) []string {
	return []string{"run", "--game", "cotulenh", "--games", "2", "--shard-games", "1", "--max-plies", "16", "--player", "ab:nodes=70000,hash=1",
		"--explore-moves", "2", "--explore-plies", "0-9", "--explore-among", "0", "--adjudicate-win", "400,3", "--out", out}
}

// wholeSlowRun returns the dataset of an undisturbed slow run.
var wholeSlowRun = shared(func(t *testing.T, dir string) { mustApart(t, slowRun(dir)...) })

// TestSlowGamesGoOnAfterKills: a run that is killed after a few decisions, again and again, comes to its end, with
// the bytes of an undisturbed run.
func TestSlowGamesGoOnAfterKills(t *testing.T) {
	whole, killed := wholeSlowRun(t), filepath.Join(t.TempDir(), "d")
	kills := 0
	for ended := false; !ended; {
		process, stderr := start(t, slowRun(killed)...)
		done := make(chan error, 1)
		go func() { done <- process.Wait() }()
		for kept, last := 0, journaled(killed); kept < 3 && !ended; {
			select {
			case err := <-done:
				if ended = true; err != nil {
					t.Fatalf("%v: %s", err, stderr)
				}
			case <-time.After(time.Millisecond):
				if now := journaled(killed); now != last {
					kept, last = kept+1, now
				}
			}
		}
		if ended {
			break
		}
		process.Process.Kill()
		<-done
		if kills++; kills > 100 {
			t.Fatal("100 kills, after three decisions each, left games unfinished")
		}
	}
	if kills < 2 {
		t.Errorf("%d kills, want more", kills)
	}
	mustEqual(t, tree(t, killed), tree(t, whole))
}

// journaled returns the bytes of all journals: each decision that is kept adds some.
func journaled(out string) (bytes int64) {
	names, _ := filepath.Glob(filepath.Join(out, ".selfplay", "journal", "*.log"))
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// TestStopEndsWithinADecision: long before the games would be over, and they go on afterwards.
func TestStopEndsWithinADecision(t *testing.T) {
	whole, stopped := wholeSlowRun(t), filepath.Join(t.TempDir(), "stopped")
	process, stderr := start(t, slowRun(stopped)...)
	waitUntil(t, "decision in a journal", func() bool { return journaled(stopped) > 0 })
	must.Do(t, process.Process.Signal(syscall.SIGTERM))
	if code, done := processCode(process.Wait()), lookAt(t, stopped).GamesDone; code != 3 || done != 0 {
		t.Errorf("exit code %d, %d games are over: %s", code, done, stderr)
	}
	mustRun(t, slowRun(stopped)...)
	mustEqual(t, tree(t, stopped), tree(t, whole))
}

// TestRegenerateConfirmsEveryKindOfPlayer: the games of a dataset come out the same again,
// also from datasets with other rows of the same games, and from what tasks have made so far.
func TestRegenerateConfirmsEveryKindOfPlayer(t *testing.T) {
	for _, c := range everyKind {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			mustRun(t, append([]string{"run", "--quiet", "--out", out, "--games", "6", "--shard-games", "3"}, withoutCounts(c.flags)...)...)
			text := mustRun(t, "verify", "--regenerate", "--json", out)
			var r checking.VerifyReport
			if err := json.Unmarshal([]byte(text), &r); err != nil || r.Regenerated != 6 {
				t.Errorf("%s, %v, want 6 games played again", text, err)
			}
		})
	}
}

// withoutCounts returns the flags of a run without --games and --shard-games.
func withoutCounts(flags string) (list []string) {
	words := strings.Fields(flags)
	for i := 0; i < len(words); i++ {
		if words[i] == "--games" || words[i] == "--shard-games" {
			i++
			continue
		}
		list = append(list, words[i])
	}
	return list
}

// playAs returns a job whose plan has one seed and whose games have another.
func playAs(t *testing.T, seed uint64) *runJob {
	t.Helper()
	j := jobOf(t, "--game contrast --player random --games 6 --shard-games 3 --seed 1 --max-plies 20")
	j.series.Seed = seed
	must.Do(t, os.MkdirAll(j.out, 0o755))
	return j
}

// TestRegenerateFindsGamesOfAnotherSeed: everything else about the dataset is consistent.
func TestRegenerateFindsGamesOfAnotherSeed(t *testing.T) {
	j := playAs(t, 2)
	must.Get(j.make(context.Background(), silentMeter()))(t)
	mustRun(t, "verify", "--deep", j.out)
	o := selfplay("", "verify", "--regenerate", "--quiet", j.out)
	if o.code != 4 || !strings.Contains(o.stdout, "games/train-00000.parquet: corrupt: game 0: playing it again gives another action") ||
		!strings.Contains(o.stderr, "run selfplay repair --regenerate "+j.out+" to remove the damage") {
		t.Errorf("%+v", o)
	}
	mustRun(t, "repair", "--regenerate", "--quiet", j.out)
	honest := playAs(t, 1)
	for _, j := range []*runJob{j, honest} {
		j.series.Seed = 1
		must.Get(j.make(context.Background(), silentMeter()))(t)
	}
	mustEqual(t, tree(t, j.out), tree(t, honest.out))
}

// TestRegenerateFindsJournalsOfAnotherSeed: header and checksums are those of the plan.
func TestRegenerateFindsJournalsOfAnotherSeed(t *testing.T) {
	j := playAs(t, 2)
	pool := workers.Start(j.series, 1)
	defer pool.Close()
	o := j.options(func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		return errors.Join(pool.Play(ctx, games[:2], journal, sink), datasets.ErrIncomplete)
	})
	o.OpenShards = 1
	if _, err := making.Make(context.Background(), j.out, j.plan, j.games, o); !errors.Is(err, datasets.ErrIncomplete) {
		t.Fatal(err)
	}
	mustRun(t, "verify", "--deep", j.out)
	found := selfplay("", "verify", "--regenerate", "--quiet", "--json", j.out)
	var r checking.VerifyReport
	if err := json.Unmarshal([]byte(found.stdout), &r); err != nil || found.code != 4 || len(r.Problems) != 1 ||
		r.Problems[0].Kind != checking.ProblemGames || r.Problems[0].Shard != 0 || !strings.Contains(r.Problems[0].Message, "game 0:") {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestADanglingLinkIsNoOut: the error names where it leads.
func TestADanglingLinkIsNoOut(t *testing.T) {
	dir := t.TempDir()
	link, target := filepath.Join(dir, "link"), filepath.Join(dir, "nowhere")
	must.Do(t, os.Symlink(target, link))
	o := selfplay("", "run", "--game", "contrast", "--player", "random", "--games", "1", "--out", link)
	mustStop(t, o, 2, "is a symbolic link to "+target+", which does not exist: make that directory first")
}
