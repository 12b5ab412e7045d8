package uci

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"selfplay/encode"
	"selfplay/internal/must"
)

// The test binary is also an engine: with the argument fake:MODE, and perhaps the name of a
// file that it adds its process id to.
const fakePrefix = "fake:"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch mode, isFake := strings.CutPrefix(os.Args[1], fakePrefix); {
		case isFake:
			recordPID(os.Args[2:])
			runFake(mode)
			return
		case os.Args[1] == parentArgument:
			runParent(os.Args[2])
			return
		}
	}
	os.Exit(m.Run())
}

func recordPID(files []string) {
	for _, name := range files {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(f, os.Getpid())
		f.Close()
	}
}

// fakeText returns the player text of a fake engine.
func fakeText(t testing.TB, mode string, more ...string) string {
	t.Helper()
	path := must.Get(os.Executable())(t)
	return strings.Join(append([]string{"uci:path=" + path, "arg=" + fakePrefix + mode, "nodes=5"}, more...), ",")
}

// fakeBestMoves are modes with a wrong bestmove.
var fakeBestMoves = map[string]string{"garbage": "bestmove \x00\xff e9e9", "illegal": "bestmove e2e2", "nomove": "bestmove", "none": "bestmove (none)"}

// fakeOptions are lines of further options by mode.
var fakeOptions = map[string]string{"chess960": "option name UCI_Chess960 type check default false\n"}

// runFake obeys commands until quit or the end of stdin. The mode says how it fails.
func runFake(mode string) {
	if mode == "exit" {
		return
	}
	pos, isNew, hash := encode.Chess().New(""), false, ""
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		switch words := strings.Fields(lines.Text()); words[0] {
		case "uci":
			switch mode {
			case "flood":
				for i := 0; ; i++ {
					fmt.Printf("option name o%d type check\n", i)
				}
			case "mute":
				continue
			case "slow":
				time.Sleep(300 * time.Millisecond)
			}
			least := 1
			if mode == "threads" {
				least = 2
			}
			fmt.Printf("id name fake\r\noption name Threads type spin default 8 min %d max 8\r\n"+
				"option name Hash  Size type spin default 16 min 1 max 64\n%suciok\r\n", least, fakeOptions[mode])
			if mode == "deaf" {
				time.Sleep(time.Hour)
			}
		case "setoption":
			hash += lines.Text() + ";"
			if mode == "chess960" && strings.HasSuffix(hash, "UCI_Chess960 value true;") {
				pos = encode.Chess().New("chess960")
			}
		case "isready":
			fmt.Println("readyok")
		case "ucinewgame":
			isNew = true
		case "position":
			if !isNew && strings.Count(lines.Text(), " ") <= 4 {
				panic("a game without ucinewgame: " + lines.Text())
			}
			isNew = false
			s := session{out: os.Stderr, pos: pos}
			if s.setPosition(words[1:]); !s.valid {
				panic("invalid " + lines.Text())
			}
		case "go":
			fakeGo(mode, hash, func() string { return pos.FormatMove(pos.Moves(nil)[0]) })
		case "quit":
			if mode != "stubborn" {
				return
			}
		}
	}
	if mode == "stubborn" {
		time.Sleep(time.Hour)
	}
}

// fakeGo answers go.
func fakeGo(mode, options string, move func() string) {
	if text, ok := fakeBestMoves[mode]; ok {
		fmt.Println(text)
		return
	}
	switch mode {
	case "hang":
		return
	case "crash":
		fmt.Fprintln(os.Stderr, "assertion failed: board\nabort")
		os.Exit(3)
	case "endless":
		for {
			fmt.Println("info string still thinking")
		}
	case "longline":
		fmt.Println(strings.Repeat("x", 2*maxLine))
	case "options":
		if options != "setoption name Threads value 1;setoption name hash size value 4;" {
			panic(options)
		}
	case "descendant": // that keeps the pipes open
		c := exec.Command(os.Args[0], fakePrefix+"stubborn")
		c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := c.Start(); err != nil {
			panic(err)
		}
		os.Exit(4)
	case "busy":
		var block [64 << 10]byte
		for range 800 { // a fixed work: under load 20 ms of elapsed time may be no time of a processor
			sum := sha256.Sum256(block[:])
			copy(block[:], sum[:])
		}
	}
	fmt.Printf("info depth 3 score cp -12 nodes 7 pv a2a3\ninfo string nodes 99\ninfo multipv 2 nodes 88\nbestmove %s ponder a7a6\n", move())
}
