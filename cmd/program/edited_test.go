package program

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// described is the description in plan.json, in the order of its canonical JSON.
type described struct {
	Title    string    `json:"title"`
	Sides    [2]string `json:"sides"`
	Results  []string  `json:"results"`
	Reasons  []string  `json:"reasons"`
	Actions  int       `json:"actions"`
	Columns  []column  `json:"columns"`
	Elements []struct {
		Name  string `json:"name"`
		Count int    `json:"count"`
		Doc   string `json:"doc"`
	} `json:"elements"`
	Metadata []struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	} `json:"metadata"`
}

type column struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Len   int    `json:"len"`
	Doc   string `json:"doc"`
	Label bool   `json:"label,omitempty"`
}

// planText is plan.json.
type planText struct {
	Format      int             `json:"format"`
	Hash        string          `json:"hash"`
	Plan        plan.Plan       `json:"plan"`
	Description described       `json:"description"`
	About       json.RawMessage `json:"about"`
}

func compact(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// renewed returns an edited plan.json with the hashes of its content, and the plan hash. It
// returns the text unchanged if an edit gave a member another type.
func renewed(text []byte) ([]byte, string) {
	var p planText
	if err := json.Unmarshal(text, &p); err != nil {
		return text, ""
	}
	sum := sha256.Sum256(compact(p.Description))
	p.Plan.Description = hex.EncodeToString(sum[:])
	p.Hash = p.Plan.Hash()
	return compact(p), p.Hash
}

// edited is a copy of a dataset whose plan is edited.
type edited struct {
	dir   string
	hash  string            // of the plan
	files map[string][]byte // that have the hash
}

// newEdited makes a dataset, in memory where the machine has a file system for it: most of the
// time of these tests would go by waiting for the disk to sync.
func newEdited(t *testing.T) *edited {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		t.Setenv("TMPDIR", "/dev/shm")
	}
	dir := filepath.Join(t.TempDir(), "edited")
	contrastGames(t, dir, plan.Parquet, plan.List, 2, 6)
	e := &edited{dir: dir, files: map[string][]byte{}}
	names, _ := filepath.Glob(filepath.Join(dir, ".selfplay", "commits", "*"))
	for _, name := range append(names, filepath.Join(dir, "manifest.json"), filepath.Join(dir, "plan.json")) {
		e.files[name] = readBytes(t, name)
	}
	ds := must.Get(datasets.Open(dir))(t)
	e.hash = ds.PlanHash()
	return e
}

func (e *edited) text() []byte { return e.files[filepath.Join(e.dir, "plan.json")] }

// set writes a plan, and its hash into the records.
func (e *edited) set(t *testing.T, text []byte) {
	text, hash := renewed(text)
	for name, data := range e.files {
		if hash != "" {
			data = bytes.ReplaceAll(data, []byte(e.hash), []byte(hash))
		}
		writeBytes(t, name, data)
	}
	writeBytes(t, filepath.Join(e.dir, "plan.json"), text)
}

// readers returns the command lines that read a dataset.
func readers(dir, out string) [][]string {
	return [][]string{
		{"info", dir}, {"head", dir}, {"head", "--json", dir}, {"stats", dir}, {"stats", "--json", dir}, {"verify", dir}, {"verify", "--deep", dir},
		{"sample", "--rows", "3", "--out", out + ".jsonl", dir}, {"convert", "--format", "csv", "--out", out + ".csv", dir},
		{"shuffle", "--out", out + "-shuffled", dir}, {"rows", "--out", out + "-rows", dir}, {"dedup", "--out", out + "-dedup", dir},
		{"report", "--out", out + ".html", dir}, {"wdl", dir},
	}
}

// mustNotPanic runs readers on the dataset: those that print, and every third of those that
// write, in turn. All of them open the dataset first. If that fails, one of them is enough,
// again in turn.
func (e *edited) mustNotPanic(t *testing.T, n int, what string) {
	list := readers(e.dir, filepath.Join(t.TempDir(), "out"))
	_, err := datasets.Open(e.dir)
	for i, args := range list {
		if err != nil && n%len(list) != i || err == nil && slices.Contains(args, "--out") && (n+i)%3 != 0 {
			continue
		}
		o := export(append(args, "--quiet")...)
		if strings.Contains(o.stderr, "internal error") || !slices.Contains([]int{0, 1, 2, 4}, o.code) || err != nil && o.code == 0 {
			t.Errorf("%s: %v: exit code %d: %s", what, args, o.code, o.stderr)
		}
	}
}

// onlyText are members that commands print or copy, and never interpret.
var onlyText = []string{"doc", "about", "elements", "metadata"}

// variations calls visit with every way to change one member of a JSON tree: removed, or
// with another value.
func variations(path string, v any, visit func(path string)) {
	try := func(path string, set func(any), old any, others ...any) {
		for _, other := range others {
			set(other)
			visit(fmt.Sprintf("%s = %v", path, other))
		}
		set(old)
		variations(path, old, visit)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			old, name := v[key], path+"."+key
			if slices.Contains(onlyText, key) {
				continue
			}
			delete(v, key)
			visit(name + " removed")
			try(name, func(n any) { v[key] = n }, old, others(old)...)
		}
	case []any:
		for i := range v {
			try(fmt.Sprintf("%s[%d]", path, i), func(n any) { v[i] = n }, v[i], others(v[i])...)
		}
	}
}

// others returns values to replace a value with.
func others(v any) []any {
	switch v := v.(type) {
	case string:
		return []any{"", "zzz"}
	case float64:
		return []any{0, -1, v + 1, 1 << 30}
	case bool:
		return []any{!v}
	case []any:
		if len(v) == 0 {
			return []any{"x"}
		}
		return []any{[]any{}, v[1:], v[:len(v)-1], append(slices.Clip(v), v[0])}
	}
	return []any{nil, 7}
}

// TestEditedPlansNeverPanic removes or changes every member of plan.json and renews all
// hashes.
func TestEditedPlansNeverPanic(t *testing.T) {
	e := newEdited(t)
	var tree any
	must.Do(t, json.Unmarshal(e.text(), &tree))
	for _, args := range readers(e.dir, filepath.Join(t.TempDir(), "out")) {
		if o := export(append(args, "--quiet")...); o.code != 0 && args[0] != "wdl" { // random games have no scores
			t.Errorf("%v of the plan as it is: %+v", args, o)
		}
	}
	n := 0
	variations("plan", tree, func(path string) {
		n++
		e.set(t, compact(tree))
		e.mustNotPanic(t, n, path)
	})
	t.Logf("%d edits", n)
}

// TestEditedPlansAreRefusedWithTheirReason checks the texts and the exit codes.
func TestEditedPlansAreRefusedWithTheirReason(t *testing.T) {
	e := newEdited(t)
	without := func(names ...string) func(p *planText) {
		return func(p *planText) {
			p.Plan.Columns = slices.DeleteFunc(p.Plan.Columns, func(name string) bool { return slices.Contains(names, name) })
			p.Description.Columns = slices.DeleteFunc(p.Description.Columns, func(c column) bool { return slices.Contains(names, c.Name) })
		}
	}
	for _, c := range []struct {
		name string
		edit func(p *planText)
		args []string
		code int
		want string
	}{
		{"unknown variant", func(p *planText) { p.Plan.Variant = "zzz" }, []string{"verify", "--deep"}, 2, `unknown variant "zzz" of contrast: want one of after, before`},
		{"unknown variant", func(p *planText) { p.Plan.Variant = "zzz" }, []string{"stats"}, 2, `unknown variant "zzz"`},
		{"a column too many in the plan", func(p *planText) { p.Plan.Columns = append(p.Plan.Columns, "zzz") }, []string{"head"}, 1, "the description has"},
		{"a column too many", func(p *planText) {
			p.Plan.Columns = append(p.Plan.Columns, "zzz")
			p.Description.Columns = append(p.Description.Columns, column{Name: "zzz", Kind: "uint8"})
		}, []string{"rows", "--out", "never"}, 2, "this program has"},
		{"no ply and no game", without("ply", "game"), []string{"sample", "--rows", "3", "--out", "never.jsonl"}, 1, "column game is missing"},
		{"no side", without("side"), []string{"head"}, 1, "column side is missing"},
		{"no board", without("board"), []string{"convert", "--format", "csv", "--out", "never.csv"}, 1, "column board is missing"},
		{"wrong kind", func(p *planText) { p.Description.Columns[4].Kind = "uint8" }, []string{"head"}, 1, "column action: kind uint8 and length 0, want uint16 and 0"},
		{"short board", func(p *planText) { p.Description.Columns[3].Len = 3 }, []string{"head"}, 1, "column board: kind"},
		{"too few results", func(p *planText) { p.Description.Results = p.Description.Results[:2] }, []string{"stats"}, 1, "2 names of results, want 4"},
	} {
		var p planText
		must.Do(t, json.Unmarshal(e.text(), &p))
		c.edit(&p)
		e.set(t, compact(p))
		t.Run(c.name, func(t *testing.T) { mustRefuse(t, export(append(c.args, e.dir)...), c.code, c.want) })
	}
	if found, _ := filepath.Glob("never*"); len(found) > 0 {
		t.Errorf("%v is written", found)
		os.RemoveAll("never")
	}
}
