package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplay/internal/must"
)

const repository = "../.."

var (
	testFiles = []file{{name: "b", data: []byte("B")}, {name: "a/x", data: []byte("A"), program: true}}
	testTime  = time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
	entries   = []string{"f/a/x 0755", "f/b 0644"}
)

// TestTarDependsOnFilesOnly: the entries are sorted and have the given time and no owner.
func TestTarDependsOnFilesOnly(t *testing.T) {
	name, data, err := pack("f", testFiles, testTime, "linux")
	if err != nil || name != "f.tar.gz" {
		t.Fatal(name, err)
	}
	compressed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil || !compressed.ModTime.IsZero() {
		t.Fatal(compressed.ModTime, err)
	}
	var found []string
	for r := tar.NewReader(compressed); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil || !h.ModTime.Equal(testTime) || h.Uid != 0 || h.Uname != "" {
			t.Fatal(h, err)
		}
		found = append(found, fmt.Sprintf("%s %04o", h.Name, h.Mode))
	}
	if !slices.Equal(found, entries) {
		t.Errorf("entries %q, want %q", found, entries)
	}
}

// TestZipDependsOnFilesOnly: see TestTarDependsOnFilesOnly.
func TestZipDependsOnFilesOnly(t *testing.T) {
	name, data, err := pack("f", testFiles, testTime, "windows")
	if err != nil || name != "f.zip" {
		t.Fatal(name, err)
	}
	r := must.Get(zip.NewReader(bytes.NewReader(data), int64(len(data))))(t)
	var found []string
	for _, f := range r.File {
		if !f.Modified.Equal(testTime) {
			t.Errorf("%s has time %v", f.Name, f.Modified)
		}
		found = append(found, fmt.Sprintf("%s %04o", f.Name, f.Mode()))
	}
	if !slices.Equal(found, entries) {
		t.Errorf("entries %q, want %q", found, entries)
	}
}

// TestNoticesNameEveryLinkedModule: each one with a licence, and Arrow with its NOTICE.
func TestNoticesNameEveryLinkedModule(t *testing.T) {
	s := source{dir: repository}
	for _, system := range []string{"linux", "windows"} {
		env := environment(system, "amd64")
		data := must.Get(s.notices(env))(t)
		modules, err := s.modules(env)
		if err != nil || len(modules) < 20 {
			t.Fatalf("%d modules, %v", len(modules), err)
		}
		text := string(data)
		for _, m := range modules {
			if !strings.Contains(text, "\n"+m.name+"\n") {
				t.Errorf("%s: no notice of %s", system, m.name)
			}
		}
		for _, want := range []string{
			"Go standard library", string(bytes.TrimSpace(arrowNotice)), "Copyright (c) 2017 John C. Griffin", "--- internal/snapref/LICENSE",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: notices lack %.60q", system, want)
			}
		}
	}
}

func TestModuleWithoutLicenceIsAnError(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "README.md"), []byte("free for all"), 0o644))
	if err := writeModule(new(bytes.Buffer), "example.org/m v1", []string{dir}); err == nil {
		t.Error("accepted")
	}
}

// TestProgramsForLinuxAreStatic: a program of a build without C names no dynamic linker.
func TestProgramsForLinuxAreStatic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dist")
	must.Get(output(".", environment("linux", "arm64"), "go", "build", "-o", path, "."))(t)
	f := must.Get(elf.Open(path))(t)
	defer f.Close()
	libraries, err := f.ImportedLibraries()
	if f.Section(".interp") != nil || len(libraries) > 0 || err != nil {
		t.Errorf("needs a dynamic linker for %q, %v", libraries, err)
	}
}
