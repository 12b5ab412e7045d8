package program

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// The golden files of a game are in testdata/<game>. Do not update them to make a test
// pass: a difference raises plan.Prerelease, and from 1.0.0 on the version of the rules, a player, a layout
// or the writer.

// TestShardsAreFrozen pins the SHA-256 of both files of shard 0 for every layout, format
// and board type: the same plan always gives the same bytes.
func TestShardsAreFrozen(t *testing.T) {
	for _, game := range encode.Games() {
		t.Run(game.Name, func(t *testing.T) {
			var b strings.Builder
			for _, layout := range game.Layouts {
				for _, format := range []string{plan.Parquet, plan.Arrow} {
					for _, board := range []string{plan.List, plan.Packed} {
						dir := filepath.Join(t.TempDir(), "set")
						mustRun(t, "run", "--game", game.Name, "--player", "random", "--games", "12", "--shard-games", "8", "--max-plies", "60",
							"--layout", layout.Name, "--format", format, "--board-type", board, "--out", dir, "--quiet")
						files := tree(t, dir)
						for _, name := range slices.Sorted(maps.Keys(files)) {
							if strings.Contains(name, "-00000.") {
								fmt.Fprintf(&b, "%s %s %s %x\n", layout.Name, board, filepath.ToSlash(name), sha256.Sum256([]byte(files[name])))
							}
						}
					}
				}
			}
			compareGolden(t, game.Name, "shards.txt", b.String())
		})
	}
}

// TestRowsAreFrozen pins the row digests and the SHA-256 of whole games. A row digest does
// not depend on the metadata of a file: if only the SHA-256 changes, the data did not.
func TestRowsAreFrozen(t *testing.T) {
	for _, game := range encode.Games() {
		t.Run(game.Name, func(t *testing.T) {
			var b strings.Builder
			for _, flags := range []string{"", "--board-type packed", "--format arrow", "--layout planes"} {
				out := t.TempDir()
				mustRun(t, append([]string{"run", "--game", game.Name, "--player", "random", "--games", "40", "--shard-games", "40", "--out", out},
					strings.Fields(flags)...)...)
				ds := must.Get(datasets.Open(out))(t)
				commits, err := ds.Commits()
				if err != nil || len(commits) != 1 {
					t.Fatalf("%d shards, error %v", len(commits), err)
				}
				for _, f := range commits[0].Files {
					fmt.Fprintf(&b, "%q %s\n\trows %d %s\n\tsha256 %s\n", flags, f.Name, f.Rows, f.RowDigest, f.SHA256)
				}
			}
			compareGolden(t, game.Name, "rows.txt", b.String())
		})
	}
}

// compareGolden compares text with a golden file of a game.
func compareGolden(t *testing.T, game, name, text string) {
	t.Helper()
	enginetest.Golden(t, filepath.Join("testdata", game, name), text, "Games or files differ: raise plan.Prerelease, from 1.0.0 on the version of what changed")
}

// TestPlayersAreFrozen pins the games of every kind of player, with scores, nodes and policies:
// all processors play the same. make emulate runs it for another processor.
func TestPlayersAreFrozen(t *testing.T) {
	players := []string{
		"random", "random:uniform", "greedy",
		"ab:depth=1,multi=4,exact=true,temp=50", "ab:depth=2,exact=true", "ab:nodes=200,exact=true",
		"ab:depth=1,multi=4,temp=50,net=none", "ab:depth=2,hash=1,net=none", "ab:nodes=200,net=none", "ab:nodes=300,hash=1,hard=600,net=none",
		"mcts:sims=16,temp=1,noise=0.25", "mcts:sims=16,rollout=2", "mcts:sims=16,priors=gain,c=2",
		"mcts:sims=16,fpu=0.25,priors=static,leaf=static,temp=1,noise=0.25", "mcts:sims=16,fpu=-0.1,priors=delta,target=completedq,noise=0.25",
	}
	withNetwork := []string{
		"greedy:net=NET", "ab:nodes=200,net=NET", "ab:depth=2,hash=1,net=NET,blend=40", "mcts:sims=16,net=NET,priors=static,temp=1",
	}
	for _, game := range encode.Games() {
		t.Run(game.Name, func(t *testing.T) {
			var b strings.Builder
			list, net, policy := slices.Clone(players), "", ""
			if _, ok := game.New("").(engine.Featured); ok {
				net, _ = writeNetwork(t, t.TempDir(), game.Name, 1)
				list = append(list, withNetwork...)
			}
			if _, ok := game.New("").(engine.Policied); ok {
				policy, _ = writePolicy(t, t.TempDir(), game.Name)
				list = append(list, "mcts:sims=16,net=POLICY,priors=net,temp=1")
			}
			list = append(list, "mcts:sims=16,root=gumbel", "mcts:sims=24,root=gumbel,considered=5,gumbel=0", "mcts:sims=16,fpureduction=0.3")
			files := strings.NewReplacer("NET", net, "POLICY", policy)
			for _, player := range list {
				j := jobOf(t, "--game "+game.Name+" --games 1 --max-plies 12 --player "+files.Replace(player))
				print := must.Get(fingerprint(t.Context(), j.series))(t)
				fmt.Fprintf(&b, "%s %s\n", print, player)
			}
			compareGolden(t, game.Name, "players.txt", b.String())
		})
	}
}

// frozenFlags make a small dataset with every column: several moves a decision, an opening, an explored move,
// both splits, a network, and a last shard that is short.
const frozenFlags = "--game contrast --board-type packed --player ab:nodes=60,hash=1,multi=3" +
	" --shard-games 2 --validation 0.5 --max-plies 24 --seed 2026" +
	" --opening-plies 2-3 --explore-moves 1 --explore-plies 0-9 --columns +legal_actions,+hash,+repetitions,+move,+static_score" +
	" --deblunder 5 --model 130,364"

const frozenGames = "5"

func runFrozen(t *testing.T, out, games string) {
	t.Helper()
	mustRun(t, slices.Concat([]string{"run", "--quiet", "--out", out, "--games", games}, strings.Fields(frozenFlags))...)
}

// frozen unpacks the archive of a dataset.
func frozen(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "frozen")
	archive := filepath.Join("testdata", "frozen", "contrast.tar.gz")
	if enginetest.Updates() {
		runFrozen(t, dir, frozenGames)
		pack(t, archive, dir)
		return dir
	}
	unpack(t, archive, dir)
	return dir
}

// TestDatasetsAreFrozen: the dataset of an archive is read, resumed and extended, with the bytes that the same
// command makes today. Until 1.0.0, which makes it anew, -update writes it: a change of bytes raises
// plan.Prerelease. After 1.0.0 a change of bytes is a new version of what changed.
func TestDatasetsAreFrozen(t *testing.T) {
	made, old := filepath.Join(t.TempDir(), "made"), frozen(t)
	whole := tree(t, old)
	runFrozen(t, made, frozenGames)
	mustEqual(t, tree(t, made), whole)
	sums := ""
	for _, format := range []string{"jsonl", "moves"} {
		text := mustRun(t, "convert", "--quiet", "--format", format, "--out", "-", old)
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(text)), format)
	}
	compareGolden(t, "frozen", "contrast.sha256", sums)
	dropShard(t, old, 1)
	runFrozen(t, old, frozenGames)
	mustEqual(t, tree(t, old), whole)
	runFrozen(t, old, "6")
	runFrozen(t, made, "6")
	mustEqual(t, tree(t, old), tree(t, made))
	for _, command := range [][]string{{"verify", "--deep"}, {"verify", "--regenerate"}, {"info"}, {"stats"}} {
		mustRun(t, append(command, old)...)
	}
}

// TestOtherPrereleasesAreRefused: by commands that read and by those that write, in one line that says what to do.
func TestOtherPrereleasesAreRefused(t *testing.T) {
	dir := frozen(t)
	name := filepath.Join(dir, plan.FileName)
	text := string(must.Get(os.ReadFile(name))(t))
	other := strings.Replace(text, fmt.Sprintf(`"prerelease": %d`, plan.Prerelease), `"prerelease": 99`, 1)
	must.Do(t, os.WriteFile(name, []byte(other), 0o644))
	before := tree(t, dir)
	want := fmt.Sprintf("read plan.json: pre-release 99: not supported: this build reads pre-release %d; make the dataset again, or use the build that made it\n", plan.Prerelease)
	out := filepath.Join(t.TempDir(), "out")
	for _, command := range [][]string{
		append([]string{"run", "--games", "6", "--out", dir}, strings.Fields(frozenFlags)...),
		{"info", dir}, {"verify", dir}, {"status", dir}, {"replay", "--game-index", "0", dir}, {"finalize", dir}, {"repair", dir},
		{"head", dir}, {"stats", dir}, {"convert", "--format", "csv", "--out", out, dir},
		{"rows", "--out", out, dir}, {"dedup", "--out", out, dir}, {"report", "--out", out, dir},
	} {
		if o := selfplay("", command...); o.code != 2 || !strings.HasSuffix(o.stderr, want) || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%s: code %d, %s", command, o.code, o.stderr)
		}
	}
	mustEqual(t, tree(t, dir), before)
}

// dropShard removes a shard and what follows from it, as a repair does.
func dropShard(t *testing.T, dir string, shard int) {
	must.Do(t, os.Remove(filepath.Join(dir, plan.ManifestName)))
	must.Do(t, os.Remove(filepath.Join(dir, plan.CommitName(shard))))
	for _, table := range plan.Tables {
		for _, path := range must.Get(filepath.Glob(filepath.Join(dir, table, fmt.Sprintf("*-%05d.*", shard))))(t) {
			must.Do(t, os.Remove(path))
		}
	}
}

// pack writes an archive of a dataset, without what only its run needs and without times.
func pack(t *testing.T, archive, dir string) {
	t.Helper()
	for _, name := range []string{"lock", "journal", "runs", "tmp"} {
		must.Do(t, os.RemoveAll(filepath.Join(dir, ".selfplay", name)))
	}
	must.Do(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, time.Time{}, time.Unix(0, 0)))
	}))
	var data bytes.Buffer
	compressed := gzip.NewWriter(&data)
	w := tar.NewWriter(compressed)
	err := errors.Join(w.AddFS(os.DirFS(dir)), w.Close(), compressed.Close(), os.MkdirAll(filepath.Dir(archive), 0o755))
	if err == nil {
		err = os.WriteFile(archive, data.Bytes(), 0o644)
	}
	must.Do(t, err)
}

// unpack is the inverse of pack.
func unpack(t *testing.T, archive, dir string) {
	t.Helper()
	data := must.Get(os.Open(archive))(t)
	defer data.Close()
	compressed := must.Get(gzip.NewReader(data))(t)
	for r := tar.NewReader(compressed); ; {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		if err == nil && h.Typeflag == tar.TypeReg {
			err = extract(filepath.Join(dir, filepath.FromSlash(h.Name)), r)
		}
		must.Do(t, err)
	}
}

func extract(path string, r io.Reader) error {
	data, err := io.ReadAll(r)
	return errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644))
}
