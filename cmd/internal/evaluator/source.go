package evaluator

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"runtime"
	"strconv"
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
		if err := checkSocket(address); err != nil {
			return s, fmt.Errorf("evaluator %q: %w", text, err)
		}
	case "tcp":
		s.Network, s.Address = network, address
		host, port, err := net.SplitHostPort(address)
		if err != nil || host == "" || port == "" {
			return s, fmt.Errorf("evaluator %q: expected a host and a port, such as %s=tcp:gpu1:7000", text, name)
		}
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return s, fmt.Errorf("evaluator %q: port %s: want 1 to 65535", text, port)
		}
	default:
		s.Command, err = splitCommand(where)
		if err != nil {
			return s, fmt.Errorf("evaluator %q: %w", text, err)
		}
	}
	return s, nil
}

// longestSocket is the most bytes of the path of a socket: the system has no room for more.
const longestSocket = 107

// checkSocket returns why nothing can ever listen at a path. A path that does not exist may become a socket.
func checkSocket(path string) error {
	if len(path) > longestSocket {
		return fmt.Errorf("the path has %d bytes: a socket has at most %d", len(path), longestSocket)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != fs.ModeSocket:
		return fmt.Errorf("%s is no socket", path)
	}
	return nil
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

// cores returns how many processors the evaluator may use: those of this machine, unless it is on another one.
func (s Source) cores() int {
	const elsewhere = 1024
	if s.Network == "tcp" {
		return elsewhere
	}
	return runtime.NumCPU()
}

// String returns where the evaluator is, for messages.
func (s Source) String() string {
	if s.Network != "" {
		return s.Network + ":" + s.Address
	}
	return s.Command[0]
}
