package making

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

func fakeHeader(t testing.TB) *plan.File {
	t.Helper()
	file := must.Get(plan.New(fakePlan(), fakeDescription(), plan.About{}))(t)
	return file
}

// TestPlanHashIsFrozen: datasets hold it.
func TestPlanHashIsFrozen(t *testing.T) {
	enginetest.Golden(t, "testdata/golden/plan.json", string(fakeHeader(t).Encode()), goldenAdvice)
}

func TestDiffListsTheFieldsThatDiffer(t *testing.T) {
	p := fakePlan().WithDefaults()
	q := p.Clone()
	q.Seed, q.Players[1].Spec = 2, "greedy<1>"
	q.Play, q.Validation, q.Columns = []string{"opening-plies=4-10 by random v1"}, 125, append(q.Columns, "hash")
	want := []plan.Difference{
		{Setting: "player-second", This: "random", Is: "greedy<1>"},
		{Setting: "seed", This: "1", Is: "2"},
		{Setting: "opening-plies", This: "none", Is: "4-10 by random v1"},
		{Setting: "validation", This: "0.3", Is: "0.125"},
	}
	if got := p.Diff(q); !slices.Equal(got, want) {
		t.Errorf("Diff:\n%q, want\n%q", got, want)
	}
	if got := p.Diff(p.Clone()); got != nil {
		t.Errorf("a plan differs from itself: %q", got)
	}
	if p.Hash() == q.Hash() {
		t.Error("two plans have one hash")
	}
}

func TestValidateRefusesUnsupportedPlans(t *testing.T) {
	tests := []struct {
		name   string
		change func(*plan.Plan)
		want   string
	}{
		{"no game", func(p *plan.Plan) { p.Game = "" }, "no game"},
		{"format", func(p *plan.Plan) { p.Format = "csv" }, `format "csv"`},
		{"board type", func(p *plan.Plan) { p.BoardType = "planes" }, `board type "planes"`},
		{"codec", func(p *plan.Plan) { p.Codec = "lz4" }, `codec "lz4" for parquet`},
		{"no writer version", func(p *plan.Plan) { p.Writer = 0 }, "writer version"},
		{"another pre-release", func(p *plan.Plan) { p.Prerelease++ }, "make the dataset again"},
		{"another writer version", func(p *plan.Plan) { p.Writer = plan.WriterVersion + 1 }, "writer version"},
		{"empty shards", func(p *plan.Plan) { p.ShardGames = -1 }, "-1 games per shard"},
		{"validation fraction", func(p *plan.Plan) { p.Validation = 1001 }, "validation fraction 1001"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := fakePlan().WithDefaults()
			must.Do(t, p.Validate())
			tt.change(&p)
			must.Fail(p.Validate())(t, nil, tt.want)
		})
	}
}

func TestPlanFileRoundTrips(t *testing.T) {
	file := fakeHeader(t)
	got := must.Get(plan.Parse(file.Encode()))(t)
	if !bytes.Equal(got.Encode(), file.Encode()) || got.Description.Hash() != file.Description.Hash() {
		t.Errorf("%s\nwant\n%s", got.Encode(), file.Encode())
	}
}

func TestDamagedPlanFileIsRefused(t *testing.T) {
	good := string(fakeHeader(t).Encode())
	prerelease := fmt.Sprintf(`"prerelease": %d`, plan.Prerelease)
	tests := []struct {
		name, old, new string
		want           error
	}{
		{"another format", `"format": 1`, `"format": 2`, fault.ErrUnsupported},
		{"no format", `"format": 1`, `"format": 0`, fault.ErrCorrupt},
		{"another pre-release", prerelease, `"prerelease": 1000`, fault.ErrUnsupported},
		{"no pre-release", prerelease + ",", ``, fault.ErrUnsupported},
		{"unknown field", `"seed": "1"`, `"seed": "1", "speed": 1`, fault.ErrCorrupt},
		{"changed seed", `"seed": "1"`, `"seed": "2"`, fault.ErrCorrupt},
		{"changed text", `the position`, `the posture`, fault.ErrCorrupt},
		{"unknown kind", `"kind": "bool"`, `"kind": "boot"`, fault.ErrCorrupt},
		{"wrong type", `"seed": "1"`, `"seed": 1`, fault.ErrCorrupt},
		{"truncated", good[len(good)/2:], ``, fault.ErrCorrupt},
		{"empty", good, ``, fault.ErrCorrupt},
		{"two values", good, good + good, fault.ErrCorrupt},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			damaged := strings.Replace(good, tt.old, tt.new, 1)
			if damaged == good {
				t.Fatal("nothing replaced")
			}
			if _, err := plan.Parse([]byte(damaged)); !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
		})
	}
}

// TestPlanOfAnotherBuildIsNotDamaged: a member that this build does not know, with the right hash.
func TestPlanOfAnotherBuildIsNotDamaged(t *testing.T) {
	var file map[string]json.RawMessage
	must.Do(t, json.Unmarshal(fakeHeader(t).Encode(), &file))
	var text bytes.Buffer
	must.Do(t, json.Compact(&text, bytes.Replace(file["plan"], []byte(`"seed"`), []byte(`"speed": 1, "seed"`), 1)))
	file["plan"], file["hash"] = text.Bytes(), fmt.Appendf(nil, `"%x"`, sha256.Sum256(text.Bytes()))
	data := must.Get(json.Marshal(file))(t)
	must.Fail(plan.Parse(data))(t, fault.ErrUnsupported, `unknown field "speed": not supported: use the build that made the dataset`)
}

func TestEveryGameIsInOneShard(t *testing.T) {
	p := fakePlan()
	for target := uint64(1); target < 20; target++ {
		next := uint64(0)
		for s := range p.Shards(target) {
			first, n := p.GamesOf(s, target)
			if first != next || n == 0 {
				t.Fatalf("target %d: shard %d has %d games from %d, want some from %d", target, s, n, first, next)
			}
			next += n
		}
		if next != target {
			t.Fatalf("target %d: shards have %d games", target, next)
		}
	}
}

func FuzzPlanFile(f *testing.F) {
	f.Add(fakeHeader(f).Encode())
	f.Add([]byte(`{"format":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := plan.Parse(data)
		if err != nil {
			return
		}
		again, err := plan.Parse(file.Encode())
		if err != nil || again.Hash != file.Hash {
			t.Errorf("a plan that was read cannot be read again: %v", err)
		}
	})
}

func FuzzCommit(f *testing.F) {
	file := fakeHeader(f)
	f.Add(fakeCommit(file).Encode())
	f.Add([]byte(`{"format":1,"results":[{"games":1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := record.Parse(data, file, 3)
		if err != nil {
			return
		}
		again, err := record.Parse(c.Encode(), file, 3)
		if err != nil || !again.Same(c) {
			t.Errorf("a record that was read cannot be read again: %v", err)
		}
	})
}

// fakeCommit returns a record of shard 3.
func fakeCommit(file *plan.File) *record.Commit {
	return &record.Commit{
		Format: 1, Plan: file.Hash, Shard: 3, FirstGame: 9, Games: 3, Rows: 100,
		Results: []record.ResultCount{{Result: 1, Reason: 6, Games: 2}, {Result: 3, Reason: 5, Games: 1}},
		Files: []record.FileEntry{
			{Name: "positions/train-00003.parquet", Bytes: 1000, SHA256: "aa", Rows: 40, RowDigest: "bb"},
			{Name: "games/train-00003.parquet", Bytes: 500, SHA256: "cc", Rows: 1, RowDigest: "dd"},
			{Name: "positions/validation-00003.parquet", Bytes: 2000, SHA256: "ee", Rows: 60, RowDigest: "ff"},
			{Name: "games/validation-00003.parquet", Bytes: 700, SHA256: "ab", Rows: 2, RowDigest: "cd"},
		},
		Build: "test",
	}
}

// TestEveryBitOfARecordIsGuarded: no command reads a record with a flipped bit, not even in
// its build or its white space.
func TestEveryBitOfARecordIsGuarded(t *testing.T) {
	file := fakeHeader(t)
	data := fakeCommit(file).Encode()
	for i := range data {
		for bit := range 8 {
			data[i] ^= 1 << bit
			if _, err := record.Parse(data, file, 3); !errors.Is(err, fault.ErrCorrupt) && !errors.Is(err, fault.ErrUnsupported) {
				t.Errorf("bit %d of byte %d: %v", bit, i, err)
			}
			data[i] ^= 1 << bit
		}
	}
	bare := canonical.MarshalIndented(fakeCommit(file))
	must.Fail(record.Parse(bare, file, 3))(t, fault.ErrCorrupt, "")
}

func TestCommitRecordOfAnotherShardIsRefused(t *testing.T) {
	file := fakeHeader(t)
	must.Get(record.Parse(fakeCommit(file).Encode(), file, 3))(t)
	tests := []struct {
		name   string
		change func(*record.Commit)
	}{
		{"other plan", func(c *record.Commit) { c.Plan = "ff" }},
		{"other shard", func(c *record.Commit) { c.Shard = 4 }},
		{"no file", func(c *record.Commit) { c.Files = nil }},
		{"files of one split", func(c *record.Commit) { c.Files, c.Rows = c.Files[:2], 40 }},
		{"files of five", func(c *record.Commit) { c.Files = append(c.Files, c.Files[0]) }},
		{"splits in another order", func(c *record.Commit) { c.Files = append(c.Files[2:], c.Files[:2]...) }},
		{"games of another split", func(c *record.Commit) { c.Files[1].Rows, c.Files[3].Rows = 2, 1 }},
		{"other games", func(c *record.Commit) { c.FirstGame = 8 }},
		{"too many games", func(c *record.Commit) { c.Games = 4 }},
		{"no games", func(c *record.Commit) { c.Games = 0 }},
		{"other rows", func(c *record.Commit) { c.Rows = 99 }},
		{"results that do not add up", func(c *record.Commit) { c.Results[0].Games = 1 }},
		{"other file", func(c *record.Commit) { c.Files[0].Name = "positions/validation-00003.parquet" }},
		{"path outside", func(c *record.Commit) { c.Files[1].Name = "../games" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := fakeCommit(file)
			tt.change(c)
			must.Fail(record.Parse(c.Encode(), file, 3))(t, fault.ErrCorrupt, "")
		})
	}
}
