package evaluator

import (
	"fmt"
	"net"
	"strings"
)

// Source says where an evaluator is.
type Source struct {
	Name    string // of the model: several sources may have one name
	Network string // "unix" or "tcp"; "" for a command
	Address string // of the socket
	Command []string
}

// Usage is the form of a source on the command line.
const Usage = "NAME='COMMAND', NAME=unix:PATH or NAME=tcp:HOST:PORT"

// ParseSource parses the value of a flag.
func ParseSource(text string) (s Source, err error) {
	name, where, ok := strings.Cut(text, "=")
	if !ok || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || name == "" {
		return s, fmt.Errorf("evaluator %q: want %s, with a name of lower-case letters, digits and _", text, Usage)
	}
	s.Name = name
	network, address, _ := strings.Cut(where, ":")
	switch network {
	case "unix":
		s.Network, s.Address = network, address
		if address == "" {
			return s, fmt.Errorf("evaluator %q: want the path of a socket, such as %s=unix:/run/model.sock", text, name)
		}
	case "tcp":
		s.Network, s.Address = network, address
		if host, port, err := net.SplitHostPort(address); err != nil || host == "" || port == "" {
			return s, fmt.Errorf("evaluator %q: expected a host and a port, such as %s=tcp:gpu1:7000", text, name)
		}
	default:
		s.Command, err = splitCommand(where)
		if err != nil {
			return s, fmt.Errorf("evaluator %q: %w", text, err)
		}
	}
	return s, nil
}

// splitCommand splits a command into words at spaces. Single and double quotes keep spaces. No shell is
// involved.
func splitCommand(text string) (words []string, err error) {
	var word strings.Builder
	inWord, quote := false, rune(0)
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ' || r == '\t':
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote %c is not closed", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("want %s", Usage)
	}
	return words, nil
}

// String returns where the evaluator is, for messages.
func (s Source) String() string {
	if s.Network != "" {
		return s.Network + ":" + s.Address
	}
	return s.Command[0]
}
