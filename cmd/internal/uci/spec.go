package uci

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// prefix begins the text of an engine.
const prefix = "uci:"

// IsEngine reports whether a player text names a UCI engine.
func IsEngine(text string) bool { return strings.HasPrefix(text, prefix) }

// HasEngine reports whether a player text names a UCI engine, perhaps as a part of a mixture.
func HasEngine(text string) bool { return strings.Contains(text, prefix) }

// Usage is the syntax of an engine.
const Usage = "uci:path=FILE[,arg=TEXT],nodes=N|depth=N[,timeout=SECONDS][,option.NAME=VALUE]"

// spec describes an engine.
type spec struct {
	path    string
	args    []string
	nodes   uint64 // limits of a search; 0 for none
	depth   uint64
	timeout time.Duration // for every answer
	options []option
}

// option is an option of an engine with its value.
type option struct{ name, value string }

const (
	maxNodes       = 1 << 40
	maxDepth       = 245 // that of Stockfish
	maxTimeout     = 86_400
	defaultTimeout = 60 * time.Second
)

// parseSpec parses the text of an engine. A value must not contain a comma.
func parseSpec(text string) (s spec, err error) {
	s.timeout = defaultTimeout
	given := map[string]bool{}
	for _, part := range strings.Split(strings.TrimPrefix(text, prefix), ",") {
		key, value, _ := strings.Cut(part, "=")
		if given[key] && key != "arg" {
			return s, fmt.Errorf("%s is given twice", key)
		}
		given[key] = true
		if err := s.set(key, value); err != nil {
			return s, err
		}
	}
	switch {
	case s.path == "":
		return s, errors.New("path is missing")
	case s.nodes == 0 && s.depth == 0:
		return s, errors.New("nodes and depth are missing")
	}
	_, err = exec.LookPath(s.path)
	return s, err
}

// set sets one parameter.
func (s *spec) set(key, value string) (err error) {
	name, isOption := strings.CutPrefix(key, "option.")
	switch {
	case isOption:
		return s.setOption(name, value)
	case key == "path":
		s.path = value
	case key == "arg":
		s.args = append(s.args, value)
	case key == "nodes":
		s.nodes, err = parseNumber(key, value, maxNodes)
	case key == "depth":
		s.depth, err = parseNumber(key, value, maxDepth)
	case key == "timeout":
		var seconds uint64
		seconds, err = parseNumber(key, value, maxTimeout)
		s.timeout = time.Duration(seconds) * time.Second
	case key == "movetime":
		return errors.New("movetime: games limited by time cannot be repeated, use nodes or depth")
	default:
		return fmt.Errorf("unknown parameter %q", key)
	}
	return err
}

func (s *spec) setOption(name, value string) error {
	switch {
	case strings.TrimSpace(name) != name || name == "" || strings.ContainsAny(name+value, "\r\n"):
		return fmt.Errorf("option %q: want a name and one line", name)
	case strings.EqualFold(name, "Threads") && value != "1":
		return fmt.Errorf("option Threads=%s: an engine plays on one thread", value)
	case slices.ContainsFunc(s.options, func(o option) bool { return strings.EqualFold(o.name, name) }):
		return fmt.Errorf("option %s is given twice", name)
	}
	s.options = append(s.options, option{name, value})
	return nil
}

func parseNumber(key, text string, most uint64) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("%s: %q: want 1 to %d", key, text, most)
	}
	return n, nil
}

// goCommand returns the command that starts a search.
func (s *spec) goCommand() string {
	text := "go"
	if s.nodes > 0 {
		text += fmt.Sprintf(" nodes %d", s.nodes)
	}
	if s.depth > 0 {
		text += fmt.Sprintf(" depth %d", s.depth)
	}
	return text
}
