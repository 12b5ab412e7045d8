package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"selfplay/internal/release"
)

// source is a clone of the last commit.
type source struct {
	dir  string // temporary; the caller removes it
	time time.Time
}

// clone clones the last commit of a repository with its tags. The working tree does not matter.
func clone(repository string) (*source, error) {
	dir, err := os.MkdirTemp("", "selfplay-dist-")
	if err != nil {
		return nil, err
	}
	s := &source{dir: dir}
	if err := s.checkOut(repository); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return s, nil
}

// checkOut fills the folder and sets the time.
func (s *source) checkOut(repository string) error {
	if _, err := output(repository, nil, "git", "clone", "-q", ".", s.dir); err != nil {
		return err
	}
	text, err := output(s.dir, nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	s.time = time.Unix(seconds, 0).UTC()
	return errors.Join(err, s.checkVersion())
}

// archive returns the archive for a target such as linux/amd64, and its name.
func (s *source) archive(target string) (name string, data []byte, err error) {
	system, processor, ok := strings.Cut(target, "/")
	if !ok {
		return "", nil, fmt.Errorf("expected a system and a processor, such as linux/amd64")
	}
	env := environment(system, processor)
	files, err := s.build(system, env)
	if err != nil {
		return "", nil, err
	}
	notices, err := s.notices(env)
	if err != nil {
		return "", nil, err
	}
	files = append(files, file{name: "THIRD_PARTY_NOTICES.txt", data: notices})
	more, err := s.documents(system)
	if err != nil {
		return "", nil, err
	}
	folder := fmt.Sprintf("selfplay-%s-%s-%s", release.Version, system, processor)
	name, data, err = pack(folder, append(files, more...), s.time, system)
	return name, data, err
}

// environment returns the variables of a build that does not depend on the machine.
func environment(system, processor string) []string {
	return []string{
		"GOOS=" + system, "GOARCH=" + processor, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GOEXPERIMENT=", "GODEBUG=",
		"GOAMD64=v1", "GOARM64=v8.0",
	}
}

// build builds the programs.
func (s *source) build(system string, env []string) (files []file, err error) {
	suffix := ""
	if system == "windows" {
		suffix = ".exe"
	}
	for _, program := range programs {
		path := filepath.Join(s.dir, "bin", program+suffix)
		if _, err := output(s.dir, env, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", path, "./cmd/"+program); err != nil {
			return nil, err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: program + suffix, data: data, program: true})
	}
	return files, nil
}

// checkVersion returns an error if the source has another version than this program, or the commit a tag of
// another version.
func (s *source) checkVersion() error {
	line := fmt.Sprintf("const Version = %q", release.Version)
	source, err := os.ReadFile(filepath.Join(s.dir, "internal", "release", "release.go"))
	if err != nil || !bytes.Contains(source, []byte(line)) {
		return fmt.Errorf("check version: the last commit has no %q: commit it", line)
	}
	tags, err := output(s.dir, nil, "git", "tag", "--points-at", "HEAD", "v*")
	for tag := range strings.FieldsSeq(tags) {
		if tag != "v"+release.Version {
			return fmt.Errorf("check version: the commit has the tag %s, the source %s", tag, release.Version)
		}
	}
	return err
}

// documents returns the files of the repository that belong to an archive.
func (s *source) documents(system string) (files []file, err error) {
	names := documents
	if system == "linux" {
		found, err := filepath.Glob(filepath.Join(s.dir, filepath.FromSlash(units)))
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			names = append(names[:len(names):len(names)], "deploy/systemd/"+filepath.Base(path))
		}
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, data: data})
	}
	return files, nil
}

// output runs a command in a folder and returns what it prints.
func output(dir string, env []string, name string, args ...string) (string, error) {
	command := exec.Command(name, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), env...)
	var failure bytes.Buffer
	command.Stderr = &failure
	out, err := command.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", command, err, failure.Bytes())
	}
	return strings.TrimSpace(string(out)), err
}
