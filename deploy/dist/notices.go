package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// arrowNotice is the NOTICE of Apache Arrow. Its Go module lacks the file, but the licence
// demands that copies contain it.
//
//go:embed arrow-NOTICE.txt
var arrowNotice []byte

// arrowModule begins the path of every version of the module.
const arrowModule = "github.com/apache/arrow/go/"

// legalName matches the names of files with licences and notices.
var legalName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|authors|copyright)([-.].*)?$`)

// grant matches the text of a licence. One module has its licence at the end of its README.
var grant = regexp.MustCompile(`Permission is hereby granted|Redistribution and use|Licensed under the Apache License`)

// notices returns the licences and notices of everything that is linked into the programs: the
// standard library of Go, and each module with a package in them.
func (s *source) notices(env []string) ([]byte, error) {
	root, err := output(s.dir, env, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("The programs contain the software listed here, under the licences that follow each name.\n")
	if err := writeModule(&b, "Go standard library", []string{root}); err != nil {
		return nil, err
	}
	modules, err := s.modules(env)
	for _, m := range modules {
		if err := writeModule(&b, m.name, m.dirs); err != nil {
			return nil, err
		}
		if strings.HasPrefix(m.name, arrowModule) {
			writeFile(&b, "NOTICE.txt", arrowNotice)
		}
	}
	return b.Bytes(), err
}

// module is a linked module.
type module struct {
	name string   // path and version
	dirs []string // its root, and the folders of the linked packages and above them
}

// modules returns the modules of the programs, in the order of their names.
func (s *source) modules(env []string) (list []module, err error) {
	const format = `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{"\t"}}{{.Dir}}{{"\t"}}{{$.Dir}}{{end}}{{end}}`
	args := []string{"list", "-deps", "-f", format}
	for _, program := range programs {
		args = append(args, "./cmd/"+program)
	}
	text, err := output(s.dir, env, "go", args...)
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			continue
		}
		if len(list) == 0 || list[len(list)-1].name != fields[0] {
			list = append(list, module{name: fields[0]})
		}
		m := &list[len(list)-1]
		m.dirs = append(m.dirs, upTo(fields[1], fields[2])...)
	}
	for i := range list {
		slices.Sort(list[i].dirs)
		list[i].dirs = slices.Compact(list[i].dirs)
	}
	return list, err
}

// upTo returns a folder and all folders above it, up to root.
func upTo(root, dir string) (list []string) {
	for ; len(dir) > len(root); dir = filepath.Dir(dir) {
		list = append(list, dir)
	}
	return append(list, root)
}

// writeModule writes the legal files in the folders of a module. The first folder is its root.
func writeModule(b *bytes.Buffer, name string, dirs []string) error {
	fmt.Fprintf(b, "\n%s\n%s\n", strings.Repeat("=", 80), name)
	before := b.Len()
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !legalName.MatchString(e.Name()) {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel(dirs[0], filepath.Join(dir, e.Name()))
			writeFile(b, filepath.ToSlash(rel), data)
		}
	}
	if b.Len() > before {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(dirs[0], "README.md"))
	if err != nil || !grant.Match(data) {
		return fmt.Errorf("%s has no licence in %s", name, dirs[0])
	}
	writeFile(b, "README.md", data)
	return nil
}

// writeFile writes a file with its name above it.
func writeFile(b *bytes.Buffer, name string, data []byte) {
	fmt.Fprintf(b, "\n--- %s\n\n%s\n", name, bytes.TrimSpace(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))))
}
