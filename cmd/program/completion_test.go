package program

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplay/internal/must"

	"github.com/creack/pty"
)

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
	for timeout := time.After(20 * time.Second); !strings.Contains(shown.String(), want); {
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
		{"selfplay stat\t", "status "},
		{"selfplay status --w\t", "--watch "},
		{"selfplay export rep\t\t", "repair  report"},
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
		{"selfplay export convert --split t\t", "train "},
		{"export TEST_SELFPLAY_M\t", "TEST_SELFPLAY_MAIN"},
		{"selfplay info ./exp\t", "./export "},
	} {
		term.mustShow(clear+c.typed, c.want)
	}
}
