package program

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/urfave/cli/v2"

	"selfplay/internal/must"
)

// Pages are the Markdown files of the repository. These tests keep what they mention in
// step with the tree and the commands.

const repository = "../.."

// foreignFlags are flags of the scripts in this repository, and of spark-submit.
var foreignFlags = []string{
	"all", "speed", "no-tests", "master", // interop/run, docs/check, deploy/spark
	"array", "gres", "cpus-per-task", // Slurm
	"index-url", // pip
	"repo-type", // the client of the Hugging Face hub
	"base", "blend", "case", "curve", "data", "decay", "elo", "epochs", "first-games", "fit", "generation", "from", "generations", "hidden", "hours", "last", "learn", "linear", "margin",
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
	guideTable = regexp.MustCompile(`(?m)^\| Guide \|.*\n(?:\|.*\n)+`)
	// A fenced block: the comment before it, its language and its lines.
	fencedBlock   = regexp.MustCompile("(?s)(<!-- not run: [^\n]+ -->\n)?```([a-z]*)\n(.*?)\n```")
	startsProgram = regexp.MustCompile(`(?m)^(?:\$ )?(?:selfplay|export|bin/|go |make |python|pip|train/)`)
	notAnchor     = regexp.MustCompile(`[^\pL\pN _-]`)
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
	program := newApp("selfplay", "", catalog, nil, selfplayCommands(catalog.Games)...)
	visitCommands(program.Commands, nil, func(line []string, c *cli.Command) {
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

// guidePages returns the paths of README.md and of the pages in its table "Guide", from which docs/check takes them, too.
func guidePages(t *testing.T) []string {
	t.Helper()
	readme := filepath.Join(repository, "README.md")
	table := guideTable.FindString(string(must.Get(os.ReadFile(readme))(t)))
	pages := []string{readme}
	for _, m := range inlineLink.FindAllStringSubmatch(table, -1) {
		pages = append(pages, filepath.Join(repository, m[1]))
	}
	if len(pages) < 5 {
		t.Fatalf("the guide of README.md has the pages %v", pages)
	}
	return pages
}

// TestGuideIsReadInAnAfternoon: what is not for every reader belongs to the reference.
func TestGuideIsReadInAnAfternoon(t *testing.T) {
	const most = 12_000
	words := 0
	for _, page := range guidePages(t) {
		words += len(strings.Fields(string(must.Get(os.ReadFile(page))(t))))
	}
	if words > most {
		t.Errorf("the guide has %d words, want at most %d", words, most)
	}
}

// TestCommandsOfTheGuideRunOrSayWhyNot: docs/check runs blocks of sh. Others with commands follow a comment that says
// why they do not run.
func TestCommandsOfTheGuideRunOrSayWhyNot(t *testing.T) {
	for _, page := range guidePages(t) {
		for _, m := range fencedBlock.FindAllStringSubmatch(string(must.Get(os.ReadFile(page))(t)), -1) {
			reason, language, block := m[1], m[2], m[3]
			if runs := language == "sh" || language == "python"; !runs && reason == "" && startsProgram.MatchString(block) {
				t.Errorf("%s: %s\nwant a block of sh, or <!-- not run: REASON --> before it", page, block)
			}
		}
	}
}

// visitCommands calls f with the words of every command of the program.
func visitCommands(commands []*cli.Command, words []string, f func(words []string, c *cli.Command)) {
	for _, c := range commands {
		line := append(append([]string{}, words...), c.Name)
		f(line, c)
		visitCommands(c.Subcommands, line, f)
	}
}

// TestHelpFits: the help of every command has at most 100 columns and no default that means
// "none".
func TestHelpFits(t *testing.T) {
	visitCommands(selfplayCommands(catalog.Games), nil, func(words []string, _ *cli.Command) {
		text := mustRun(t, append(words, "--help")...)
		for line := range strings.SplitSeq(text, "\n") {
			if len([]rune(line)) > 100 {
				t.Errorf("%v: a line of %d columns: %s", words, len([]rune(line)), line)
			}
			for _, wrong := range []string{"(default: 0)", `(default: "`, "`", "(default: )"} {
				if strings.Contains(line, wrong) {
					t.Errorf("%v: %s in %s", words, wrong, line)
				}
			}
		}
	})
}

// TestExamplesNameTheCommand whose help they are in, and which a reader has typed.
func TestExamplesNameTheCommand(t *testing.T) {
	for _, command := range []string{"head", "verify", "report"} {
		for _, o := range []outcome{selfplay("", command, "--help"), export(command, "--help")} {
			_, examples, _ := strings.Cut(o.stdout, "EXAMPLES\n")
			if !strings.Contains(examples, "   "+o.program+" "+command+" ") {
				t.Errorf("%s %s: %s", o.program, command, examples)
			}
		}
	}
}

// TestFlagsTakeValuesEverywhereOrNowhere: the parser of command lines knows flags by name
// alone.
func TestFlagsTakeValuesEverywhereOrNowhere(t *testing.T) {
	takes, first := map[string]bool{}, map[string][]string{}
	visitCommands(selfplayCommands(catalog.Games), nil, func(words []string, c *cli.Command) {
		for _, f := range c.Flags {
			name, value := f.Names()[0], f.(cli.DocGenerationFlag).TakesValue()
			if other, ok := first[name]; ok && takes[name] != value {
				t.Errorf("--%s takes a value in one of %v and %v only", name, other, words)
			}
			takes[name], first[name] = value, words
		}
	})
}

func TestFlagsOfRunHaveGroups(t *testing.T) {
	for _, f := range runCommand(catalog.Games).Flags {
		if f.(cli.CategorizableFlag).GetCategory() == "" {
			t.Errorf("--%s has no group", f.Names()[0])
		}
	}
}

// TestCommandsOfExportAreCommandsOfSelfplay with equal words, flags and groups.
func TestCommandsOfExportAreCommandsOfSelfplay(t *testing.T) {
	own := map[string]string{}
	visitCommands(selfplayCommands(catalog.Games), nil, func(words []string, c *cli.Command) { own[c.Name] = c.Category + c.Usage + fmt.Sprint(len(c.Flags)) })
	for _, c := range exportCommands(catalog.Games) {
		if own[c.Name] != c.Category+c.Usage+fmt.Sprint(len(c.Flags)) {
			t.Errorf("%s: %q is not a command of selfplay", c.Name, own[c.Name])
		}
	}
}

// terminal is an interactive bash with both programs on its PATH.
type terminal struct {
	t      *testing.T
	pty    *os.File
	output chan string
}

// startBash starts bash in an empty folder and loads the completion of both programs.
func startBash(t *testing.T) *terminal {
	t.Helper()
	bash := must.Get(exec.LookPath("bash"))(t)
	exe := must.Get(os.Executable())(t)
	bin := t.TempDir()
	for _, name := range []string{"selfplay", "export"} {
		must.Do(t, os.Symlink(exe, filepath.Join(bin, name)))
	}
	process := exec.Command(bash, "--norc", "--noprofile", "-i")
	process.Dir = bin
	process.Env = append(os.Environ(), "TEST_SELFPLAY_MAIN=1", "PATH="+bin+":"+os.Getenv("PATH"), "PS1=READY ", "TERM=dumb", "INPUTRC=/dev/null")
	file := must.Get(pty.StartWithSize(process, &pty.Winsize{Rows: 50, Cols: 200}))(t)
	t.Cleanup(func() {
		process.Process.Kill()
		process.Wait()
		file.Close()
	})
	term := &terminal{t, file, make(chan string, 1024)}
	go term.read()
	term.mustShow("bind 'set enable-bracketed-paste off'; source <(selfplay completion bash); source <(./export completion bash); echo loaded\n", "loaded\r\nREADY ")
	return term
}

func (term *terminal) read() {
	buffer := make([]byte, 4096)
	for {
		n, err := term.pty.Read(buffer)
		if err != nil {
			close(term.output)
			return
		}
		term.output <- string(buffer[:n])
	}
}

// mustShow types keys and waits until the terminal shows want.
func (term *terminal) mustShow(keys, want string) {
	term.t.Helper()
	if _, err := io.WriteString(term.pty, keys); err != nil {
		term.t.Fatal(err)
	}
	var shown strings.Builder
	for timeout := time.After(time.Minute); !strings.Contains(shown.String(), want); {
		select {
		case text, ok := <-term.output:
			if !ok {
				term.t.Fatalf("bash ended after %q", shown.String())
			}
			shown.WriteString(text)
		case <-timeout:
			term.t.Fatalf("typed %q: the terminal shows %q, want %q", keys, shown.String(), want)
		}
	}
}

func TestBashCompletion(t *testing.T) {
	term := startBash(t)
	const clear = "\x15" // removes what is typed on the line
	for _, c := range []struct{ typed, want string }{
		{"selfplay ver\t\t", "verify   version"},
		{"selfplay comp\t", "completion "},
		{"selfplay statu\t", "status "},
		{"selfplay status --w\t", "--watch "},
		{"selfplay rep\t\t", "repair  replay  report"},
		{"selfplay completion z\t", "zsh "},
		{"selfplay run --opening-m\t", "--opening-max-score "},
		{"selfplay run --game c\t\t", "chess     contrast  cotulenh"},
		{"selfplay run --game ch\t", "chess "},
		{"selfplay run --game=co\t\t", "contrast  cotulenh"},
		{"selfplay run --game=ch\t", "--game=chess "},
		{"selfplay run --game chess --preset b\t\t", "balanced  bulk"},
		{"selfplay perft --game cotulenh --engine b\t", "bitboard "},
		{"selfplay match --a gre\t", "greedy "},
		{"selfplay match --game chess --a ab:de\t", "ab:depth="},
		{"selfplay match --game chess --a ab:depth=2,mu\t", "ab:depth=2,multi="},
		{"selfplay match --game chess --a=ab:depth=2,mu\t", "--a=ab:depth=2,multi="},
		{"selfplay run --game contrast --layout pl\t", "planes "},
		{"selfplay run --format a\t", "arrow "},
		{"selfplay run --perspective m\t", "mover "},
		{"selfplay run --where check,cap\t", "check,capture "},
		{"selfplay info d --js\t", "--json "},
		{"./export convert --format arrow-s\t", "arrow-stream "},
		{"./export info --js\t", "--json "},
		{"selfplay convert --split t\t", "train "},
		{"export TEST_SELFPLAY_M\t", "TEST_SELFPLAY_MAIN"},
		{"selfplay info ./exp\t", "./export "},
	} {
		term.mustShow(clear+c.typed, c.want)
	}
}
