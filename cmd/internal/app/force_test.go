package app

import (
	"flag"
	"os"
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
	for name, c := range map[string]struct {
		path  string
		force bool
		want  string // part of the error; "" if the output is accepted
	}{
		"accepts a new path":                 {"new", false, ""},
		"accepts stdout":                     {"-", false, ""},
		"refuses a file":                     {"a.csv", false, "already exists (use --force to replace it)"},
		"accepts a file with --force":        {"a.csv", true, ""},
		"refuses a folder of other programs": {"folder", true, "replace folder: it is a folder without SHA256SUMS"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			os.WriteFile("a.csv", nil, 0o644)
			os.Mkdir("folder", 0o755)
			err := CheckOutput(forced(t, c.force), c.path)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}
