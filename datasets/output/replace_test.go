package output

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/internal/must"
)

func TestCheckReplaceable(t *testing.T) {
	const sums = "00  a.bin\n"
	for name, c := range map[string]struct {
		files []string // of the output folder; a name with = has that content
		path  string
		want  string // part of the error; "" if the output may be replaced
	}{
		"accepts a file":                         {[]string{"a.csv"}, "out/a.csv", ""},
		"accepts a folder that SHA256SUMS lists": {[]string{"a.bin", "SHA256SUMS=" + sums}, "out", ""},
		"keeps a folder with another file":       {[]string{"a.bin", "thesis.tex", "SHA256SUMS=" + sums}, "out", "holds thesis.tex"},
		"keeps a folder with a subfolder":        {[]string{"a.bin/b", "SHA256SUMS=" + sums}, "out", "holds a.bin"},
		"keeps a folder without SHA256SUMS":      {[]string{"a.bin"}, "out", "without SHA256SUMS"},
		"keeps a dataset, damaged or not":        {[]string{"plan.json=?"}, "out", "is a dataset"},
		"keeps a file of a dataset":              {[]string{"plan.json=?", "positions/a"}, "out/positions/a", "is a dataset"},
		"keeps a dataset that SHA256SUMS lists":  {[]string{"plan.json=?", "SHA256SUMS=00  plan.json\n"}, "out", "is a dataset"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, file := range c.files {
				file, text, _ := strings.Cut(file, "=")
				mustWrite(t, filepath.Join("out", file), text)
			}
			err := CheckReplaceable(c.path)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if _, err := os.Lstat(c.path); err != nil {
				t.Errorf("the old output is gone: %v", err)
			}
		})
	}
}

func TestLinksAreNotReplaced(t *testing.T) {
	t.Chdir(t.TempDir())
	mustWrite(t, "file", "")
	must.Do(t, os.Symlink("file", "link"))
	must.Fail(CheckReplaceable("link"))(t, nil, "neither a regular file nor a folder")
}

func TestLiesIn(t *testing.T) {
	t.Chdir(t.TempDir())
	mustWrite(t, "set/plan.json", "")
	must.Do(t, os.Symlink("set", "link"))
	for path, want := range map[string]bool{
		"set": true, "set/new": true, "set/new/deep.csv": true, "link": true, "link/new": true, "new": false, "setting": false, ".": false,
	} {
		if got, err := LiesIn(path, "set"); err != nil || got != want {
			t.Errorf("%s: %t, error %v", path, got, err)
		}
	}
}
