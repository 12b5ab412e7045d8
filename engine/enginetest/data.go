package enginetest

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"selfplay/engine"
)

// ReadJSON decodes a file of one JSON value into v. It decompresses files named .gz.
func ReadJSON(t testing.TB, path string, v any) {
	t.Helper()
	if err := json.NewDecoder(open(t, path)).Decode(v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// ReadLines decodes a file of JSON values, one per line. It decompresses files named
// .gz.
func ReadLines[T any](t testing.TB, path string) []T {
	t.Helper()
	var list []T
	d := json.NewDecoder(open(t, path))
	for {
		var line T
		if err := d.Decode(&line); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatalf("%s, line %d: %v", path, len(list)+1, err)
		}
		list = append(list, line)
	}
}

func open(t testing.TB, path string) io.Reader {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if !strings.HasSuffix(path, ".gz") {
		return bufio.NewReader(f)
	}
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// Differences counts the differences that a comparison of many entries finds. It reports
// the first five and the total. T must be set.
type Differences struct {
	T     testing.TB
	count int
}

// Addf adds a difference.
func (d *Differences) Addf(format string, args ...any) {
	d.T.Helper()
	d.count++
	if d.count <= 5 {
		d.T.Errorf(format, args...)
	}
}

// Report ends the comparison; of is the number of entries compared.
func (d *Differences) Report(of int) {
	d.T.Helper()
	if d.count > 0 {
		d.T.Errorf("%d differences in %d entries", d.count, of)
	}
}

// AtLeast fails the test if it covered too few entries, so that lost test data is
// noticed.
func AtLeast(t testing.TB, got, want int) {
	t.Helper()
	if got < want {
		t.Fatalf("%d entries, want at least %d", got, want)
	}
}

var update = flag.Bool("update", false, "write golden files, generated tables and pictures; first find out why they differ")

// Updates reports whether a test run writes golden files, for tests whose files are no texts.
func Updates() bool { return *update }

// Golden compares a text with a golden file. A difference ends the test with the first line that
// differs and with advice, which says what a difference means. With -update it writes the file.
func Golden(t testing.TB, path, text, advice string) {
	t.Helper()
	if *update {
		write(t, path, text)
	}
	saved, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: a new golden file is written with -update", err)
	}
	if string(saved) == text {
		return
	}
	got, want := strings.Split(text, "\n"), strings.Split(string(saved), "\n")
	n := 0
	for n < min(len(got), len(want)) && got[n] == want[n] {
		n++
	}
	t.Fatalf("line %d of %s: got %q, want %q. %s, then run with -update", n+1, path, lineOf(got, n), lineOf(want, n), advice)
}

// Conversation compares the answers to the questions of a golden file, whose paragraphs each have a
// question and, behind "> ", its answer. Lines that begin with # are comments. With -update it
// writes the answers.
func Conversation(t testing.TB, path, advice string, answer func(question string) string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var paragraphs []string
	for text := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n\n") {
		var kept, question []string
		for line := range strings.SplitSeq(text, "\n") {
			if strings.HasPrefix(line, ">") {
				continue
			}
			kept = append(kept, line)
			if !strings.HasPrefix(line, "#") {
				question = append(question, line)
			}
		}
		if question != nil {
			kept = append(kept, quoted(answer(strings.Join(question, "\n")))...)
		}
		paragraphs = append(paragraphs, strings.Join(kept, "\n"))
	}
	Golden(t, path, strings.Join(paragraphs, "\n\n")+"\n", advice)
}

// quoted returns the lines of an answer as a golden file has them.
func quoted(answer string) (list []string) {
	for line := range strings.Lines(answer) {
		list = append(list, strings.TrimSpace("> "+line))
	}
	return list
}

// lineOf returns a line, and says so if a text has no such line.
func lineOf(lines []string, n int) string {
	if n < len(lines) {
		return lines[n]
	}
	return "no line"
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Tables compares generated tables with those of a page of the docs, by the mark that begins each:
// <!-- generated: MARK -->. With -update it writes them.
func Tables(t testing.TB, page string, tables map[string]string) {
	t.Helper()
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for mark, table := range tables {
		const end = "<!-- end -->"
		begin := "<!-- generated: " + mark + " -->\n"
		before, rest, found := strings.Cut(text, begin)
		_, after, ended := strings.Cut(rest, end)
		if !found || !ended {
			t.Errorf("%s has no table %q", page, mark)
			continue
		}
		text = before + begin + table + end + after
	}
	switch {
	case text == string(raw):
	case *update:
		write(t, page, text)
	default:
		t.Errorf("the tables of %s differ from the program: run with -update", page)
	}
}

// GoldenScores compares static scores of a game with testdata/scores.txt, which has
// one score and one text per line. A change of a score changes datasets: their plans hold
// a fingerprint of static scores, and those of another one cannot be extended. With -update it first rewrites the
// file for the given texts.
func GoldenScores(t *testing.T, g engine.Game, texts []string) {
	t.Helper()
	const name = "testdata/scores.txt"
	p := g.New("").(engine.Evaluator)
	score := func(text string) int {
		if err := p.Set(text); err != nil {
			t.Fatal(err)
		}
		return p.Evaluate()
	}
	if *update {
		var b strings.Builder
		fmt.Fprintln(&b, "# Golden scores of Evaluate, made by go test -run TestScores -update. A change ends the extension of datasets.")
		for _, text := range texts {
			fmt.Fprintf(&b, "%d\t%s\n", score(text), text)
		}
		write(t, name, b.String())
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v: a new golden file is written with -update", err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	AtLeast(t, len(lines), 20)
	for _, line := range lines {
		want, text, _ := strings.Cut(line, "\t")
		if got := score(text); strconv.Itoa(got) != want {
			t.Errorf("%s: %d, want %s", text, got, want)
		}
	}
}

// Finished is an engine.Journal of finished games: nothing is kept before the end.
type Finished func(*engine.Record) error

func (Finished) Resume(*engine.Record) (*engine.Unfinished, error) { return nil, nil }
func (Finished) Keep(*engine.Record, *rand.PCG) error              { return nil }
func (f Finished) Finish(rec *engine.Record) error                 { return f(rec) }

// FeatureTable is how a game numbers the features of networks, for programs in other languages. A
// block of features is one fact on each cell; a feature of a cell is the first one of the block, and the
// cell as the side sees it.
type FeatureTable struct {
	Set *engine.FeatureSet
	// Codes has the first features of each code of a cell of the layout compact, one per member, as the
	// side sees them for which the code is written: the own pieces are those of side 0.
	Codes [][]int
	// Turned is, for each block, the first feature of the block of the same facts as the other side sees them.
	Turned []int
	// Hands are elements of the layout compact beside the cells: the element, the feature of its value 0,
	// that feature as the other side sees it, and how many values there are.
	Hands [][4]int
	// Kings is set if the features of a view depend on the cell of the own king. Codes and Turned are then
	// those of the first bucket.
	Kings *FeatureKings
	// Policy has the numbers of the parts of an action a: a / Tiles, and Steps + a mod (Size - Steps).
	Policy *FeaturePolicy
}

// FeatureKings says how views depend on the cell of the own king.
type FeatureKings struct {
	Size   int   `json:"size"`   // of a bucket
	First  int   `json:"first"`  // feature of the own king on cell 0
	Mirror []int `json:"mirror"` // with the king on this cell: what cells are xored with
	Bucket []int `json:"bucket"` // likewise
}

// FeaturePolicy are numbers of the parts of actions.
type FeaturePolicy struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Size    int    `json:"size"`
	Steps   int    `json:"steps"`
	Tiles   int    `json:"tiles"`
}

// Golden compares the table with its file, which the trainer reads.
func (f *FeatureTable) Golden(t testing.TB, path string) {
	t.Helper()
	text, separator := "", "{\n"
	for _, member := range []struct {
		name  string
		value any
	}{
		{"name", f.Set.Name}, {"version", f.Set.Version}, {"size", f.Set.Size}, {"most", f.Set.Most},
		{"codes", f.Codes}, {"turned", f.Turned}, {"hands", f.Hands}, {"kings", f.Kings}, {"policy", f.Policy},
	} {
		value, err := json.Marshal(member.value)
		if err != nil {
			t.Fatal(err)
		}
		text += separator + `"` + member.name + `": ` + string(value)
		separator = ",\n"
	}
	Golden(t, path, text+"\n}\n", "Features are a frozen part of network files: raise their version")
}
