package program

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
)

// Pages are the Markdown files of the repository. These tests keep what they mention in
// step with the tree and the commands.

const repository = "../.."

// foreignFlags are flags of the scripts in this repository, and of spark-submit.
var foreignFlags = []string{
	"all", "speed", "no-tests", "master", // interop/run, docs/check, deploy/spark
	"array", "gres", "cpus-per-task", // Slurm
	"skip",      // conditions.md says what to write instead
	"repo-type", // the client of the Hugging Face hub
	"base", "blend", "case", "curve", "data", "decay", "elo", "epochs", "fit", "generation", "from", "generations", "hidden", "hours", "learn", "linear", "margin",
	"match-games", "match-player", "name", "outcome", "pace-games", "play", "policy", "policy-on", "program", "rate", "run", "short", "window", // train/
}

var (
	inlineLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	imageLink  = regexp.MustCompile(`(?:src|href)="([^"]+)"`)
	flagName   = regexp.MustCompile("(?:^|[\\s`\"(,=])--([a-z][a-z0-9-]*)")
	treePath   = regexp.MustCompile("`((?:cmd|datasets|deploy|docs|encode|engine|examples|interop|python|train|workers)/[A-Za-z0-9_./-]+)`")
	code       = regexp.MustCompile("(?s)```.*?\n *```|`[^`\n]+`")
	command    = regexp.MustCompile(`selfplay ((?:export )?[a-z]+)\b`)
	heading    = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notAnchor  = regexp.MustCompile(`[^a-z0-9 _-]`)
)

// eachPage calls check with the path and the text of every page.
func eachPage(t *testing.T, check func(path, text string)) {
	t.Helper()
	pages := 0
	err := filepath.WalkDir(repository, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (name == "testdata" || name == "data" || strings.HasPrefix(name, ".git")) {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".md" {
			return nil
		}
		raw, err := os.ReadFile(path)
		pages++
		check(path, string(raw))
		return err
	})
	if err != nil || pages < 10 {
		t.Fatalf("%d pages, %v", pages, err)
	}
}

func TestLinksOfPagesLeadSomewhere(t *testing.T) {
	eachPage(t, func(path, text string) {
		links := append(inlineLink.FindAllStringSubmatch(text, -1), imageLink.FindAllStringSubmatch(text, -1)...)
		for _, m := range links {
			if file, anchor, _ := strings.Cut(m[1], "#"); !strings.Contains(file, "://") && !leads(path, file, anchor) {
				t.Errorf("%s: link %s leads nowhere", path, m[1])
			}
		}
	})
}

// leads reports whether a link from a page leads to a file, and its anchor to a heading.
func leads(page, file, anchor string) bool {
	target := page
	if file != "" {
		target = filepath.Join(filepath.Dir(page), file)
	}
	if anchor == "" {
		_, err := os.Stat(target)
		return err == nil
	}
	raw, err := os.ReadFile(target)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(heading.FindAllStringSubmatch(string(raw), -1), func(m []string) bool {
		return strings.ReplaceAll(notAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-") == anchor
	})
}

func TestPathsOnPagesExist(t *testing.T) {
	eachPage(t, func(path, text string) {
		for _, m := range treePath.FindAllStringSubmatch(text, -1) {
			if found, _ := filepath.Glob(filepath.Join(repository, m[1])); len(found) == 0 {
				t.Errorf("%s: no file %s", path, m[1])
			}
		}
	})
}

func TestCommandsAndFlagsOnPagesExist(t *testing.T) {
	words, flags := map[string]bool{}, map[string]bool{"help": true, "version": true}
	program := app.New("selfplay", "", catalog, nil, commands(catalog.Games)...)
	visit(program.Commands, nil, func(line []string, c *cli.Command) {
		words[strings.Join(line, " ")] = true
		for _, f := range c.Flags {
			flags[f.Names()[0]] = true
		}
	})
	eachPage(t, func(path, text string) {
		for _, m := range command.FindAllStringSubmatch(strings.Join(code.FindAllString(text, -1), "\n"), -1) {
			if !words[m[1]] {
				t.Errorf("%s: no command selfplay %s", path, m[1])
			}
		}
		for _, m := range flagName.FindAllStringSubmatch(text, -1) {
			if !flags[m[1]] && !slices.Contains(foreignFlags, m[1]) {
				t.Errorf("%s: no command has the flag --%s", path, m[1])
			}
		}
	})
}
