package app

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// forced returns the context of a command whose --force is set as given.
func forced(t *testing.T, force bool) *cli.Context {
	t.Helper()
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.Bool("force", force, "")
	return cli.NewContext(cli.NewApp(), set, nil)
}

func TestCheckOutput(t *testing.T) {
	const sums = "00  a.bin\n"
	for name, c := range map[string]struct {
		files []string // of the output folder; a name with = has that content
		path  string
		force bool
		want  string // part of the error; "" if the output is accepted
	}{
		"accepts a new path":                     {nil, "out/new", false, ""},
		"accepts stdout":                         {nil, "-", false, ""},
		"refuses a file":                         {[]string{"a.csv"}, "out/a.csv", false, "already exists (use --force to replace it)"},
		"accepts a file with --force":            {[]string{"a.csv"}, "out/a.csv", true, ""},
		"accepts a folder that SHA256SUMS lists": {[]string{"a.bin", "SHA256SUMS=" + sums}, "out", true, ""},
		"keeps a folder with another file":       {[]string{"a.bin", "thesis.tex", "SHA256SUMS=" + sums}, "out", true, "holds thesis.tex"},
		"keeps a folder with a subfolder":        {[]string{"a.bin/b", "SHA256SUMS=" + sums}, "out", true, "holds a.bin"},
		"keeps a folder without SHA256SUMS":      {[]string{"a.bin"}, "out", true, "without SHA256SUMS"},
		"keeps a dataset, damaged or not":        {[]string{"plan.json=?"}, "out", true, "is a dataset"},
		"keeps a file of a dataset":              {[]string{"plan.json=?", "positions/a"}, "out/positions/a", true, "is a dataset"},
		"keeps a dataset that SHA256SUMS lists":  {[]string{"plan.json=?", "SHA256SUMS=00  plan.json\n"}, "out", true, "is a dataset"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, file := range c.files {
				file, text, _ := strings.Cut(file, "=")
				path := filepath.Join("out", file)
				os.MkdirAll(filepath.Dir(path), 0o755)
				os.WriteFile(path, []byte(text), 0o644)
			}
			_, before := os.Lstat(c.path)
			err := CheckOutput(forced(t, c.force), c.path)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if _, after := os.Lstat(c.path); before == nil && after != nil {
				t.Error("the old output is gone")
			}
		})
	}
}

func TestForceKeepsLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("file", nil, 0o644)
	if err := os.Symlink("file", "link"); err != nil {
		t.Fatal(err)
	}
	if err := CheckOutput(forced(t, true), "link"); err == nil || !strings.Contains(err.Error(), "neither a regular file nor a folder") {
		t.Errorf("error %v", err)
	}
}
