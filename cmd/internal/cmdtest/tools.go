package cmdtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tools are commands of transcripts that are no programs.
var tools = map[string]Program{
	"cat": tool(func(args []string) (string, error) { return read(args[0]) }),
	"cp":  tool(copyAll),
	"cut": tool(func(args []string) (string, error) {
		return "", change(args[0], func(data string) string { return data[:len(data)/2] })
	}),
	"edit":   tool(edit),
	"flip":   tool(flip),
	"grep":   tool(grep),
	"link":   tool(func(args []string) (string, error) { return "", os.Symlink(args[0], args[1]) }),
	"ls":     tool(list),
	"member": tool(member),
	"rm":     tool(removeAll),
	"same":   tool(same),
	"write":  tool(write),
}

// tool makes a program of a function that returns its output.
func tool(do func(args []string) (string, error)) Program {
	return func(args ...string) Outcome {
		text, err := do(args)
		if err != nil {
			return Outcome{Code: 1, Stderr: err.Error()}
		}
		return Outcome{Stdout: text}
	}
}

func read(name string) (string, error) {
	data, err := os.ReadFile(name)
	return string(data), err
}

// change changes the content of a file.
func change(name string, how func(data string) string) error {
	data, err := read(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(how(data)), 0o644)
}

// copyAll copies a folder, or a file: cp FROM TO.
func copyAll(args []string) (string, error) {
	data, err := os.ReadFile(args[0])
	if err != nil { // a folder
		return "", os.CopyFS(args[1], os.DirFS(args[0]))
	}
	return "", os.WriteFile(args[1], data, 0o644)
}

// edit replaces a text that a file must contain: edit FILE OLD NEW.
func edit(args []string) (string, error) {
	return "", change(args[0], func(data string) string {
		if !strings.Contains(data, args[1]) {
			panic(args[0] + " has no " + args[1])
		}
		return strings.Replace(data, args[1], args[2], 1)
	})
}

// flip changes a bit in the middle of a file: flip FILE.
func flip(args []string) (string, error) {
	return "", change(args[0], func(data string) string {
		at := len(data) / 2
		return data[:at] + string([]byte{data[at] ^ 1}) + data[at+1:]
	})
}

// list prints the names of all files below a folder: ls DIR.
func list(args []string) (string, error) {
	var b strings.Builder
	err := filepath.WalkDir(args[0], func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			fmt.Fprintln(&b, filepath.ToSlash(path))
		}
		return err
	})
	return b.String(), err
}

// grep prints the lines of a file that contain a text: grep FILE TEXT.
func grep(args []string) (string, error) {
	data, err := read(args[0])
	var b strings.Builder
	for line := range strings.Lines(data) {
		if strings.Contains(line, args[1]) {
			b.WriteString(line)
		}
	}
	return b.String(), err
}

// member prints members of a JSON file, one a line: member FILE NAME/NAME...
func member(args []string) (string, error) {
	text, err := read(args[0])
	lines := ""
	for _, path := range args[1:] {
		at := json.RawMessage(text)
		for name := range strings.SplitSeq(path, "/") {
			var members map[string]json.RawMessage
			err = errors.Join(err, json.Unmarshal(at, &members))
			if at = members[name]; at == nil {
				at = json.RawMessage("none")
				break
			}
		}
		lines += strings.NewReplacer("\n", "", "  ", "").Replace(string(at)) + "\n"
	}
	return lines, err
}

// removeAll removes all that matches a pattern: rm PATTERN.
func removeAll(args []string) (string, error) {
	names, err := filepath.Glob(args[0])
	if len(names) == 0 {
		err = errors.Join(err, fs.ErrNotExist)
	}
	for _, name := range names {
		err = errors.Join(err, os.RemoveAll(name))
	}
	return "", err
}

// same lists how the files of one folder differ from those of another: same GOT WANT.
func same(args []string) (string, error) {
	got, err := tree(args[0], false, read)
	want, wrong := tree(args[1], false, read)
	list := changes(want, got)
	for i := range list {
		list[i] += "\n"
	}
	return strings.Join(list, ""), errors.Join(err, wrong)
}

// write writes a file, and makes its folder: write FILE TEXT.
func write(args []string) (string, error) {
	err := os.MkdirAll(filepath.Dir(args[0]), 0o755)
	return "", errors.Join(err, os.WriteFile(args[0], []byte(args[1]), 0o644))
}
