// Package cmdtest tests programs by transcripts: text files of command lines and of what they do.
//
//	# A number of plies that is none.
//	$ selfplay perft --game chess --depth two
//	exit 2
//	! selfplay: invalid value "two" for flag --depth: expected a whole number
//
// A line of stdout begins with ">", one of stderr with "!". The exit code is written unless it is 0. A
// command that fails also lists the files that it has made (+), removed (-) or changed (~), so that a
// refusal without such lines has left everything as it was. Commands run one after another in a folder of
// their own, and NAME=VALUE before a command sets a variable for it. Words are separated by one blank;
// words in double quotes may have blanks. \n is the end of a line. "| grep TEXT" at the end of a command
// keeps only the lines of its output that contain a text.
//
// A refusal has one line if its wording does not matter: the exit code and texts that the message names.
//
//	2 --depth two $ selfplay perft --game chess --depth two
//
// Such a command prints one line on stderr that contains each of the texts, and nothing else, and leaves
// every file as it was. -update does not change the line.
//
// Files:
//
//	cmdtest.go  transcripts
//	tools.go    commands of transcripts that are no programs, such as cat
//	tree.go     what is in a folder
package cmdtest

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// Outcome is the exit code and the output of a command.
type Outcome struct {
	Code           int
	Stdout, Stderr string
}

// Program runs a program in this process.
type Program func(args ...string) Outcome

// results are the beginnings of the lines that a command adds to a transcript.
const results = ">!+-~"

// unstable finds values that differ from run to run or between builds: times, rates, processes, free space, how
// many processors there are, and the version. A metric has its value after its labels.
var unstable = regexp.MustCompile(`((?:\b|_)(?:time|elapsed|elapsed_s|workers|pid|started|updated|last_commit|last_commit_s|per_s|per_h|disk_free)"?[=:])[^ ,}]+|` +
	`((?:_seconds|_seconds_total|_free_bytes|_workers)\{[^}]*\} ).+|(version=)"[^"]*"|[0-9,.]+( per second)`)

// session runs the commands of a transcript.
type session struct {
	programs map[string]Program
	values   map[string]string
	files    fileCache
}

// Transcripts repeats every transcript that matches a pattern and compares the texts. With -update it
// writes them. setup fills the folder of a transcript; the values that it returns differ from run to run,
// and transcripts have $NAME in their place.
func Transcripts(t *testing.T, pattern string, programs map[string]Program, setup func(t *testing.T, dir string) (values map[string]string)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcript %s, %v", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			path, err := filepath.Abs(file)
			must.Do(t, err)
			dir := t.TempDir()
			s := session{programs, map[string]string{"PWD": dir}, fileCache{}}
			for name, value := range setup(t, dir) {
				s.values[name] = value
			}
			t.Chdir(dir)
			enginetest.Golden(t, path, s.repeat(t, path), "A command differs from its transcript: if it should")
		})
	}
}

// repeat runs the commands of a transcript and returns what it should be.
func (s session) repeat(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must.Do(t, err)
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		if strings.ContainsAny(line[:1], results) || strings.HasPrefix(line, "exit ") {
			continue
		}
		b.WriteString(line)
		line = strings.TrimSuffix(line, "\n")
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			t.Run(command, func(t *testing.T) { s.record(t, command, &b) })
		} else if refusal.MatchString(line) {
			t.Run(line, func(t *testing.T) { s.refuse(t, line) })
		}
	}
	return b.String()
}

// record runs a command and writes its results.
func (s session) record(t *testing.T, line string, b *strings.Builder) {
	words, filter := s.words(t, line), ""
	if n := len(words) - 3; n > 0 && words[n] == "|" && words[n+1] == "grep" {
		words, filter = words[:n], words[n+2]
	}
	o, changed := s.run(t, words)
	if o.Code != 0 {
		fmt.Fprintf(b, "exit %d\n", o.Code)
	}
	s.print(b, ">", o.Stdout, filter)
	s.print(b, "!", o.Stderr, filter)
	if o.Code != 0 {
		for _, change := range changed {
			fmt.Fprintln(b, change)
		}
	}
}

var (
	refusal = regexp.MustCompile(`^[0-9]+ .* \$ `) // a line of a transcript
	message = regexp.MustCompile(`^[a-z]+: .+\n$`) // the program and why it refuses
)

// refuse checks a refusal: exit code, the texts that its message names, and that it does nothing else.
func (s session) refuse(t *testing.T, line string) {
	words := s.words(t, line)
	command := slices.Index(words, "$")
	o, changed := s.run(t, words[command+1:])
	if fmt.Sprint(o.Code) != words[0] || o.Stdout != "" || !message.MatchString(o.Stderr) || len(changed) > 0 {
		t.Errorf("exit code %d, stdout %q, stderr %q, files %q: want exit code %s, one line on stderr and no change",
			o.Code, o.Stdout, o.Stderr, changed, words[0])
	}
	for _, text := range words[1:command] {
		if !strings.Contains(o.Stderr, text) {
			t.Errorf("stderr is %q: want %q in it", o.Stderr, text)
		}
	}
}

// run runs a command and returns how it changed the files.
func (s session) run(t *testing.T, words []string) (o Outcome, changed []string) {
	for name, value, ok := strings.Cut(words[0], "="); ok; name, value, ok = strings.Cut(words[0], "=") {
		t.Setenv(name, value)
		words = words[1:]
	}
	program := s.programs[words[0]]
	if program == nil {
		program = tools[words[0]]
	}
	if program == nil {
		t.Fatalf("unknown command %q", words[0])
	}
	before, err := s.files.tree(".")
	must.Do(t, err)
	o = program(words[1:]...)
	if o.Code == 0 {
		return o, nil
	}
	after, err := s.files.tree(".")
	must.Do(t, err)
	return o, changes(before, after)
}

// words splits a command line and puts values in the place of their names.
func (s session) words(t *testing.T, line string) []string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(line))
	r.Comma, r.LazyQuotes = ' ', true
	words, err := r.Read()
	must.Do(t, err)
	values := []string{`\n`, "\n"}
	for name, value := range s.values {
		values = append(values, "$"+name, value)
	}
	for i, word := range words {
		words[i] = strings.NewReplacer(values...).Replace(word)
	}
	return words
}

// print writes the lines of an output that contain a text, with names in the place of values.
func (s session) print(b *strings.Builder, mark, output, filter string) {
	names := make([]string, 0, 2*len(s.values))
	for name, value := range s.values {
		names = append(names, value, "$"+name)
	}
	output = unstable.ReplaceAllString(strings.NewReplacer(names...).Replace(output), "${1}${2}${3}N$4")
	for line := range strings.Lines(output) {
		if strings.Contains(line, filter) {
			fmt.Fprintln(b, strings.TrimRight(mark+" "+line, " \n"))
		}
	}
}

// changes lists how the files of two trees differ.
func changes(before, after map[string]string) (list []string) {
	for name, text := range after {
		switch old, found := before[name]; {
		case !found:
			list = append(list, "+ "+name)
		case old != text:
			list = append(list, "~ "+name)
		}
	}
	for name := range before {
		if _, found := after[name]; !found {
			list = append(list, "- "+name)
		}
	}
	slices.Sort(list)
	return list
}
