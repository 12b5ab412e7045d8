package uci

import (
	"fmt"
	"slices"
	"strings"
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
