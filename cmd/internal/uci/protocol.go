package uci

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine"
	"selfplay/engine/search"
)

// handshake starts the protocol and sets the options. Every engine that lists the option
// Threads plays on one.
func (p *process) handshake(s *spec) error {
	known, err := p.greet()
	if err != nil {
		return err
	}
	lists := func(name string) bool {
		return slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) })
	}
	var lines []string
	if lists("Threads") {
		lines = append(lines, "setoption name Threads value 1")
	}
	for _, o := range s.options {
		if !lists(o.name) {
			return fmt.Errorf("it has no option %q: its options are %s", o.name, strings.Join(known, ", "))
		}
		lines = append(lines, setOption(o))
	}
	return p.sync(lines...)
}

// setOption returns the command that sets an option. Options without a value are buttons.
func setOption(o option) string {
	if o.value == "" {
		return "setoption name " + o.name
	}
	return "setoption name " + o.name + " value " + o.value
}

// greet sends uci and returns the names of the engine's options.
func (p *process) greet() (options []string, err error) {
	if err := p.send("uci"); err != nil {
		return nil, err
	}
	err = p.receive("uciok", func(line string) bool {
		if name, ok := optionName(line); ok {
			options = append(options, name)
		}
		return strings.TrimSpace(line) == "uciok"
	})
	return options, err
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

// report is what an engine says about its search.
type report struct {
	nodes uint64
	score int // as in package search
}

// read reads a line "info ...". It ignores what it does not understand and other lines than
// the first of several (multipv).
func (r *report) read(line string) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return
	}
	next := *r
	for i := 1; i < len(words); i++ {
		number := func(at int) (n int64, ok bool) {
			if i+at >= len(words) {
				return 0, false
			}
			n, err := strconv.ParseInt(words[i+at], 10, 64)
			return n, err == nil
		}
		switch words[i] {
		case "string", "pv": // the rest of the line is text, or moves
			*r = next
			return
		case "multipv":
			if n, ok := number(1); ok && n != 1 {
				return
			}
		case "nodes":
			if n, ok := number(1); ok && n >= 0 {
				next.nodes = uint64(n)
			}
		case "score":
			if n, ok := number(2); ok {
				next.setScore(words[i+1], n)
			}
		}
	}
	*r = next
}

// setScore converts a score of the kind cp or mate.
func (r *report) setScore(kind string, n int64) {
	switch kind {
	case "cp":
		r.score = int(max(-engine.MaxStatic, min(n, engine.MaxStatic)))
	case "mate":
		r.score = mateScore(n)
	}
}

// mateScore returns the score of a mate in n moves of the winner, by the side to move if n
// is positive.
func mateScore(n int64) int {
	const most = (search.MateScore - engine.MaxStatic) / 2
	n = max(1-most, min(n, most-1))
	if n > 0 {
		return search.MateScore - int(2*n-1)
	}
	return -search.MateScore - int(2*n)
}

// counted returns the number of nodes as a record has it: at least 1 for a search.
func (r *report) counted() uint32 { return uint32(max(1, min(r.nodes, math.MaxUint32))) }
