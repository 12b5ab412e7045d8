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
	find := func(name string) int {
		return slices.IndexFunc(known, func(k listedOption) bool { return strings.EqualFold(k.name, name) })
	}
	var lines []string
	if find(threads) >= 0 {
		lines = append(lines, setOption(option{threads, "1"}))
	}
	for _, o := range s.options {
		i := find(o.name)
		if i < 0 {
			return id, fmt.Errorf("it has no option %q: its options are %s", o.name, namesOf(known))
		}
		if want := known[i].refusal(o.value); want != "" {
			return id, fmt.Errorf("option %s=%s: want %s", o.name, o.value, want)
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

// greet sends uci and returns the name of the engine and its options.
func (p *process) greet() (id string, options []listedOption, err error) {
	if err := p.send("uci"); err != nil {
		return "", nil, err
	}
	needsThreads := false
	err = p.receive("uciok", func(line string) bool {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "id name "); ok {
			id = plainID(name)
		}
		if o, ok := parseOption(line); ok {
			options = append(options, o)
			needsThreads = needsThreads || strings.EqualFold(o.name, threads) && o.least > 1
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

// listedOption is an option as the engine lists it. Other values are refused, because an engine may ignore them silently and
// the plan would still name them.
type listedOption struct {
	name, kind  string
	least, most int64    // of kind spin
	values      []string // of kind combo
}

// parseOption parses a line "option name NAME type TYPE ...".
func parseOption(line string) (o listedOption, ok bool) {
	text, isOption := strings.CutPrefix(strings.Join(strings.Fields(line), " "), "option name ")
	name, text, typed := strings.Cut(text, " type ")
	kind, text, _ := strings.Cut(text, " ")
	o = listedOption{name: name, kind: kind, least: math.MinInt64, most: math.MaxInt64}
	for _, value := range strings.Split(" "+text, " var ")[1:] {
		o.values = append(o.values, value)
	}
	words := strings.Fields(text)
	for i := range max(len(words)-1, 0) {
		if n, err := strconv.ParseInt(words[i+1], 10, 64); err == nil && words[i] == "min" {
			o.least = n
		} else if err == nil && words[i] == "max" {
			o.most = n
		}
	}
	return o, isOption && typed
}

// refusal returns what the option wants in place of a value, "" if it takes that.
func (o *listedOption) refusal(value string) string {
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case o.kind == "button" && value != "":
		return "no value: it is a button"
	case o.kind != "button" && value == "":
		return "a value"
	case o.kind == "check" && value != "true" && value != "false":
		return "true or false"
	case o.kind == "spin" && (err != nil || n < o.least || n > o.most):
		return fmt.Sprintf("a whole number from %d to %d", o.least, o.most)
	case o.kind == "combo" && !slices.ContainsFunc(o.values, func(v string) bool { return strings.EqualFold(v, value) }):
		return "one of " + strings.Join(o.values, ", ")
	}
	return ""
}

func namesOf(options []listedOption) string {
	var names []string
	for _, o := range options {
		names = append(names, o.name)
	}
	return strings.Join(names, ", ")
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
