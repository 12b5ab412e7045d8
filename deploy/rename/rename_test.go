package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/internal/must"
)

var moved = renaming{"selfplay", "example.com/lab/selfplay"}

func TestPathsOfTheModuleAreRenamed(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		rewrite             func([]byte) ([]byte, error)
	}{
		{"imports, and no other strings", `package p

import (
	"fmt"

	"github.com/x/selfplay/y"
	"selfplay/encode"
	e "selfplay/engine" // "selfplay/engine"
	"selfplayer/z"
)

const name = "selfplay/encode"
`, `package p

import (
	"fmt"

	"github.com/x/selfplay/y"
	"example.com/lab/selfplay/encode"
	e "example.com/lab/selfplay/engine" // "selfplay/engine"
	"selfplayer/z"
)

const name = "selfplay/encode"
`, moved.goFile},
		{"a module", "module selfplay\n\ngo 1.25.0\n", "module example.com/lab/selfplay\n\ngo 1.25.0\n", moved.goMod},
		{"a nested module", "module selfplay/deploy/x\n\nrequire (\n\tselfplay v0.0.0\n\tx/selfplay v1.0.0\n)\n\nreplace selfplay => ../..\n",
			"module example.com/lab/selfplay/deploy/x\n\nrequire (\n\texample.com/lab/selfplay v0.0.0\n\tx/selfplay v1.0.0\n)\n\nreplace example.com/lab/selfplay => ../..\n", moved.goMod},
		{"code of a page", "`selfplay/encode` in \"selfplay/encode\" and \"selfplay\"", "`selfplay/encode` in \"example.com/lab/selfplay/encode\" and \"selfplay\"", moved.page},
	} {
		if got, err := c.rewrite([]byte(c.before)); err != nil || string(got) != c.after {
			t.Errorf("%s: %v\n%s", c.name, err, got)
		}
	}
}

// TestTheProfileIsRenamed: pprof reads the profile, and all functions of the module have the new
// path.
func TestTheProfileIsRenamed(t *testing.T) {
	if text := must.Get(os.ReadFile("../../go.mod"))(t); !strings.HasPrefix(string(text), "module selfplay\n") {
		t.Skip("the module is renamed already")
	}
	before := must.Get(os.ReadFile("../../cmd/selfplay/default.pgo"))(t)
	after := must.Get(moved.profile(before))(t)
	path := filepath.Join(t.TempDir(), "default.pgo")
	must.Do(t, os.WriteFile(path, after, 0o644))
	raw := func(file string) string {
		out := must.Get(exec.Command("go", "tool", "pprof", "-raw", file).Output())(t)
		return string(out)
	}
	was, is := raw("../../cmd/selfplay/default.pgo"), raw(path)
	if n := strings.Count(was, " selfplay/engine/"); n == 0 || n != strings.Count(is, " example.com/lab/selfplay/engine/") || strings.Contains(is, " selfplay/") {
		t.Errorf("%d names of engines before", n)
	}
	if _, err := moved.profile(after[:len(after)/2]); err == nil {
		t.Error("half a profile is no error")
	}
}

func TestPathsThatNoModuleHasAreRefused(t *testing.T) {
	for _, path := range []string{"", "self play", "/abs", "../x", "selfplay"} {
		if err := rename(t.TempDir(), path); err == nil {
			t.Errorf("%q is taken", path)
		}
	}
}
