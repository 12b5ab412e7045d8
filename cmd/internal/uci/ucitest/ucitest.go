// Package ucitest has a chess engine for tests: a hash of the position and its history chooses moves and scores. It
// misbehaves on request.
package ucitest

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"selfplay/encode"
	"selfplay/engine"
)

// Serve obeys the commands of a GUI until quit or the end of its input. mode is a fault, or several with spaces between
// them: id=NAME, salt=TEXT (other answers), remembers (answers depend on what was asked before), scoreless, slow=MS for a
// search, searches=FILE (which grows by a byte for every search), pids=FILE (which gets the process id), and from the
// search with a number on: exits=N, hangs=N, illegal=N. With games it exits in a game, not in a position that is set. With
// learns=FILE processes that begin after an exit have other answers.
func Serve(mode string, in io.Reader, out io.Writer) error {
	e := &fake{faults: map[string]string{"id": "Fake_1.0"}, pos: encode.Chess().New(""), out: out}
	for _, fault := range strings.Fields(mode) {
		name, value, _ := strings.Cut(fault, "=")
		e.faults[name] = value
	}
	if err := e.log("pids", fmt.Sprintln(os.Getpid())); err != nil {
		return err
	}
	if _, err := os.Stat(e.faults["learns"]); err == nil {
		e.faults["salt"] = "another"
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if lines.Text() == "quit" {
			return nil
		}
		if err := e.obey(lines.Text()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// fake is the state of an engine.
type fake struct {
	faults   map[string]string
	pos      engine.Position
	out      io.Writer
	history  string // the last command position
	options  string // the commands that set options
	searches int    // so far
	since    int    // of them since ucinewgame
}

// log appends to the file that a fault names.
func (e *fake) log(fault, text string) error {
	name, ok := e.faults[fault]
	if !ok {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(text)
	return err
}

// due reports whether a fault is due, from a search on.
func (e *fake) due(fault string) bool {
	value, ok := e.faults[fault]
	n, _ := strconv.Atoi(value)
	return ok && e.searches >= n
}

func (e *fake) obey(line string) error {
	word, _, _ := strings.Cut(line, " ")
	switch word {
	case "uci":
		fmt.Fprintf(e.out, "id name %s\noption name Threads type spin default 4 min 1 max 8\n"+
			"option name Hash type spin default 16 min 1 max 64\nuciok\n", strings.ReplaceAll(e.faults["id"], "_", " "))
	case "setoption":
		e.options += line + "\n"
	case "isready":
		fmt.Fprintln(e.out, "readyok")
	case "ucinewgame":
		e.since = 0
	case "position":
		return e.setPosition(line)
	case "go":
		return e.search(line)
	}
	return nil
}

// setPosition obeys position startpos|fen FEN [moves MOVE...].
func (e *fake) setPosition(line string) error {
	e.history = line
	start, moves, _ := strings.Cut(strings.TrimPrefix(line, "position "), " moves ")
	e.pos.Reset()
	if fen, ok := strings.CutPrefix(start, "fen "); ok {
		if err := e.pos.Set(fen); err != nil {
			return err
		}
	}
	for _, text := range strings.Fields(moves) {
		m, err := e.pos.ParseMove(text)
		if err != nil {
			return err
		}
		e.pos.Do(m)
	}
	return nil
}

// search obeys go.
func (e *fake) search(line string) error {
	if err := e.log("searches", "."); err != nil {
		return err
	}
	ms, _ := strconv.Atoi(e.faults["slow"])
	time.Sleep(time.Duration(ms) * time.Millisecond)
	_, inGames := e.faults["games"]
	switch {
	case e.due("exits"), inGames && !strings.Contains(e.history, " fen "):
		_ = e.log("learns", "")
		fmt.Fprintln(os.Stderr, "assertion failed")
		os.Exit(3)
	case e.due("hangs"):
		time.Sleep(time.Hour)
	case e.due("illegal"):
		fmt.Fprintln(e.out, "bestmove e9e9")
		return nil
	}
	h := fnv.New32a()
	fmt.Fprint(h, e.history, e.options, line, e.faults["salt"], e.since)
	if _, ok := e.faults["remembers"]; ok {
		fmt.Fprint(h, e.searches)
	}
	e.searches++
	e.since++
	n, moves := int(h.Sum32()>>1), e.pos.Moves(nil)
	if _, ok := e.faults["scoreless"]; !ok {
		fmt.Fprintf(e.out, "info depth 1 score cp %d nodes %d\ninfo depth 2 score cp 9999 lowerbound nodes %d\n", n%800-400, n%50, n%100+50)
	}
	fmt.Fprintf(e.out, "bestmove %s\n", e.pos.FormatMove(moves[n%len(moves)]))
	return nil
}
