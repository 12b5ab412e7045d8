package uci

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"selfplay/datasets/plan"
	"selfplay/engine"
	"selfplay/engine/search"
)

// handshake starts the protocol and sets the options. Every engine that lists the option
// Threads plays on one, or is refused. It returns what the engine calls itself, "" if it does not say.
func (p *process) handshake(s *spec) (id string, err error) {
	id, known, err := p.greet()
	if err != nil {
		return id, err
	}
	lists := func(name string) bool {
		return slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) })
	}
	var lines []string
	if lists(threads) {
		lines = append(lines, setOption(option{threads, "1"}))
	}
	for _, o := range s.options {
		if !lists(o.name) {
			return id, fmt.Errorf("it has no option %q: its options are %s", o.name, strings.Join(known, ", "))
		}
		lines = append(lines, setOption(o))
	}
	return id, p.sync(lines...)
}

// setOption returns the command that sets an option. Options without a value are buttons.
func setOption(o option) string {
	if o.value == "" {
		return "setoption name " + o.name
	}
	return "setoption name " + o.name + " value " + o.value
}

// greet sends uci and returns the names of the engine and of its options.
func (p *process) greet() (id string, options []string, err error) {
	if err := p.send("uci"); err != nil {
		return "", nil, err
	}
	needsThreads := false
	err = p.receive("uciok", func(line string) bool {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "id name "); ok {
			id = plainID(name)
		}
		if name, ok := optionName(line); ok {
			options = append(options, name)
			needsThreads = needsThreads || strings.EqualFold(name, threads) && !takesOne(line)
		}
		return strings.TrimSpace(line) == "uciok" || len(options) > maxOptions
	})
	switch {
	case err != nil:
	case len(options) > maxOptions:
		err = fmt.Errorf("more than %d lines \"option name\"", maxOptions)
	case needsThreads:
		err = errors.New("it does not play on one thread: its option Threads does not accept 1")
	}
	return id, options, err
}

// maxOptions is far above the options of any engine, and bounds the memory for their names.
const maxOptions = 1000

// threads is the name of the option that sets the number of threads.
const threads = "Threads"

// takesOne reports whether the line of an option does not say that its least value is above 1.
func takesOne(line string) bool {
	words := strings.Fields(line)
	i := slices.Index(words, "min")
	if i < 0 || i+1 == len(words) {
		return true
	}
	least, err := strconv.Atoi(words[i+1])
	return err != nil || least <= 1
}

// plainID returns the name of an engine as plans have it: printable, on one line, not long.
func plainID(name string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(name), " ") {
		if unicode.IsPrint(r) && r != unicode.ReplacementChar && b.Len()+utf8.RuneLen(r) <= plan.MaxEngineName {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// optionName returns the name in a line "option name NAME type TYPE ...".
func optionName(line string) (name string, ok bool) {
	name, ok = strings.CutPrefix(strings.Join(strings.Fields(line), " "), "option name ")
	name, _, typed := strings.Cut(name, " type ")
	return name, ok && typed
}

// sync sends lines and waits until the engine has done what they ask.
func (p *process) sync(lines ...string) error {
	if err := p.send(append(lines, "isready")...); err != nil {
		return err
	}
	return p.receive("readyok", func(line string) bool { return strings.TrimSpace(line) == "readyok" })
}

// search starts a search and returns the best move and what the engine says about it.
func (p *process) search(command string) (move string, r report, err error) {
	if err := p.send(command); err != nil {
		return "", r, err
	}
	err = p.receive("bestmove", func(line string) bool {
		r.read(line)
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "bestmove" {
			return false
		}
		if len(words) > 1 {
			move = words[1]
		}
		return true
	})
	return move, r, err
}

// report is what an engine says about its search.
type report struct {
	nodes  uint64
	score  int  // as in package search
	scored bool // there is a score
	exact  bool // it is no bound: then it stands against a later bound, that of an iteration which a limit ended
}

// read reads a line "info ...". It ignores what it does not understand and other lines than
// the first of several (multipv). A word that makes the score a bound may stand anywhere in the line.
func (r *report) read(line string) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return
	}
	number := func(at int) (n int64, ok bool) {
		if at >= len(words) {
			return 0, false
		}
		n, err := strconv.ParseInt(words[at], 10, 64)
		return n, err == nil
	}
	found := report{nodes: r.nodes, exact: true}
read:
	for i := 1; i < len(words); i++ {
		switch words[i] {
		case "string", "pv": // the rest of the line is text, or moves
			break read
		case "multipv":
			if n, ok := number(i + 1); ok && n != 1 {
				return
			}
		case "nodes":
			if n, ok := number(i + 1); ok && n >= 0 {
				found.nodes = uint64(n)
			}
		case "lowerbound", "upperbound":
			found.exact = false
		case "score":
			if n, ok := number(i + 2); ok {
				found.setScore(words[i+1], n)
			}
		}
	}
	r.nodes = found.nodes
	if found.scored && (found.exact || !r.exact) {
		*r = found
	}
}

// setScore converts a score of the kind cp or mate.
func (r *report) setScore(kind string, n int64) {
	switch kind {
	case "cp":
		r.score, r.scored = int(max(-engine.MaxStatic, min(n, engine.MaxStatic))), true
	case "mate":
		r.score, r.scored = mateScore(n), true
	}
}

// mateScore returns the score of a mate in n moves of the winner, by the side to move if n
// is positive. A side that has a move is mated in one move at the earliest, so 0 counts as -1.
func mateScore(n int64) int {
	const most = (search.MateScore - engine.MaxStatic) / 2
	n = max(1-most, min(n, most-1))
	if n > 0 {
		return search.MateScore - int(2*n-1)
	}
	return -search.MateScore - int(2*min(n, -1))
}

// counted returns the number of nodes as a record has it: at least 1, or 0 if the search has no score.
func (r *report) counted() uint32 {
	if !r.scored {
		return 0
	}
	return uint32(max(1, min(r.nodes, math.MaxUint32)))
}
