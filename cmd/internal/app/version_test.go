package app

import (
	"encoding/json"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/release"
)

func TestVersion(t *testing.T) {
	code, stdout, _ := runTest("version", "--json")
	var b build
	if err := json.Unmarshal([]byte(stdout), &b); err != nil || code != 0 || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("exit code %d, %q: %v", code, stdout, err)
	}
	if b.Program != "test" || b.Go != runtime.Version() || b.Writer != plan.WriterVersion || b.Format != plan.FormatVersion || len(b.Rules) != len(encode.Games()) {
		t.Errorf("%+v", b)
	}
	_, table, _ := runTest("version")
	for _, want := range []string{"test      ", "commit    ", "go        " + runtime.Version(), "platform  " + runtime.GOOS, "rules     cotulenh ", "writer    ", "format    "} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	if code, line, _ := runTest("--version"); code != 0 || !strings.HasPrefix(line, "test version ") {
		t.Errorf("--version: exit code %d, %q", code, line)
	}
}

func TestBuildWithAndWithoutCommit(t *testing.T) {
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "commit    unknown\n"},
		{&debug.BuildInfo{}, "commit    unknown\n"},
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}}}, "x         " + release.Version + "\ncommit    abc\n"},
		{&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}}, "\ncommit    abc, modified\n"},
	} {
		var out strings.Builder
		if err := buildOf("x", nil, c.info).print(&out, nil); err != nil || !strings.Contains(out.String(), c.want) {
			t.Errorf("%+v: %v, no %q in\n%s", c.info, err, c.want, out.String())
		}
	}
}
