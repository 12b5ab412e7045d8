package enginetest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
