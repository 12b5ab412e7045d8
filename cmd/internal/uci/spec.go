package uci

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"selfplay/datasets/plan"
	"selfplay/engine/chess"
	"selfplay/workers"
)

// IsEngine reports whether a player text names a UCI engine.
func IsEngine(text string) bool { return strings.HasPrefix(text, workers.ExternalPrefix) }

// HasEngine reports whether a player text names a UCI engine, perhaps as a part of a mixture.
func HasEngine(text string) bool { return strings.Contains(text, workers.ExternalPrefix) }

// Usage is the syntax of an engine.
const Usage = "uci:path=FILE[,name=NAME][,arg=TEXT],nodes=N|depth=N[,timeout=SECONDS][,option.NAME=VALUE]"

// spec describes an engine.
type spec struct {
	name    string // in plans; "" for one that follows from the engine's
	path    string
	args    []string
	nodes   uint64 // limits of a search; 0 for none
	depth   uint64
	timeout time.Duration // for every answer; 0 for the default
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

// parseSpec parses the text of an engine. A value must not contain a comma. If the text names no path, the spec has
// none.
func parseSpec(text string) (s spec, err error) {
	given := map[string]bool{}
	for _, part := range strings.Split(strings.TrimPrefix(text, workers.ExternalPrefix), ",") {
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
	case s.path == "" && s.name == "":
		return s, errNoPath
	case s.path == "" && len(s.args) > 0:
		return s, errors.New("arg without path: write the argument into the command of the engine")
	case s.nodes == 0 && s.depth == 0:
		return s, errors.New("nodes and depth are missing")
	case s.path != "":
		_, err = exec.LookPath(s.path)
	}
	return s, err
}

var errNoPath = errors.New("path is missing")

// set sets one parameter.
func (s *spec) set(key, value string) (err error) {
	name, isOption := strings.CutPrefix(key, "option.")
	switch {
	case isOption:
		return s.setOption(name, value)
	case key == "name":
		s.name = value
		if !plan.IsEvaluatorName(value) {
			return fmt.Errorf("name %q: want lower-case letters, digits and _", value)
		}
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

// chess960Option is the name of the option that makes an engine play Chess960.
const chess960Option = "UCI_Chess960"

// setVariant adds the option that the variant takes. The text may have it already: plans do.
func (s *spec) setVariant(variant string) error {
	i := slices.IndexFunc(s.options, func(o option) bool { return strings.EqualFold(o.name, chess960Option) })
	want := fmt.Sprint(variant == chess.Chess960)
	switch {
	case i >= 0 && s.options[i].value != want:
		return fmt.Errorf("option %s=%s: the variant of the game sets it to %s", chess960Option, s.options[i].value, want)
	case i < 0 && variant == chess.Chess960:
		s.options = append(s.options, option{chess960Option, want})
	}
	return nil
}

func (s *spec) setOption(name, value string) error {
	switch {
	case strings.TrimSpace(name) != name || name == "" || strings.ContainsAny(name+value, "\r\n"):
		return fmt.Errorf("option %q: want a name and one line", name)
	case strings.EqualFold(name, threads) && value != "1":
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

// canonical returns the text of the engine in plans: all that its searches depend on, besides the engine itself.
func (s *spec) canonical() string {
	text := workers.ExternalPrefix + "name=" + s.name
	if s.nodes > 0 {
		text += fmt.Sprintf(",nodes=%d", s.nodes)
	}
	if s.depth > 0 {
		text += fmt.Sprintf(",depth=%d", s.depth)
	}
	for _, o := range s.options {
		text += ",option." + o.text()
	}
	return text
}

// text returns the option as players name it.
func (o option) text() string {
	if o.value == "" {
		return o.name
	}
	return o.name + "=" + o.value
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
