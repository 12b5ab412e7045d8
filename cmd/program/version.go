package program

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/release"
)

// programBuild is what the command version prints. The commit is unknown if the program was built
// outside of a repository.
type programBuild struct {
	Program  string         `json:"program"`
	Version  string         `json:"version"`
	Commit   string         `json:"commit"`
	Modified bool           `json:"modified"` // the source differed from the commit
	Go       string         `json:"go"`
	Platform string         `json:"platform"`
	Rules    map[string]int `json:"rules"`  // the version of the rules of each game
	Writer   int            `json:"writer"` // the version of the bytes of data files
	Format   int            `json:"format"` // the version of the layout of a dataset
}

// buildOf describes a program with these games, built as info says; info is nil if unknown.
func buildOf(program string, games encode.Catalog, info *debug.BuildInfo) programBuild {
	b := programBuild{
		Program: program, Version: release.Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Rules: map[string]int{}, Writer: plan.WriterVersion, Format: plan.FormatVersion,
	}
	for _, g := range games {
		b.Rules[g.Name] = g.Rules
	}
	for _, s := range cmp.Or(info, &debug.BuildInfo{}).Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func thisBuild(program string, games encode.Catalog) programBuild {
	info, _ := debug.ReadBuildInfo()
	return buildOf(program, games, info)
}

// programVersion returns the version, the commit if it is known, and the version of Go in one
// line. Commit records of datasets hold it.
func programVersion() string {
	b := thisBuild("", nil)
	if b.Commit != "" {
		b.Version += " " + b.Commit
	}
	return b.Version + " " + b.Go
}

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:     "version",
		Category: groupPrograms,
		Usage:    "print the versions of the program, of the rules and of the files it writes",
		Flags:    []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			if err := noArgs(c); err != nil {
				return err
			}
			games := catalogOf(c).Games
			b := thisBuild(c.App.Name, games)
			if c.Bool("json") {
				return encode.NewJSON(c.App.Writer).Encode(b)
			}
			return b.print(c.App.Writer, games.Names())
		},
	}
}

func (b programBuild) print(w io.Writer, names []string) error {
	commit := cmp.Or(b.Commit, "unknown")
	if b.Modified {
		commit += ", modified"
	}
	var rules []string
	for _, name := range names {
		rules = append(rules, fmt.Sprintf("%s %d", name, b.Rules[name]))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\t%s\n", b.Program, b.Version)
	fmt.Fprintf(t, "commit\t%s\n", commit)
	fmt.Fprintf(t, "go\t%s\n", b.Go)
	fmt.Fprintf(t, "platform\t%s\n", b.Platform)
	fmt.Fprintf(t, "rules\t%s\n", strings.Join(rules, ", "))
	fmt.Fprintf(t, "writer\t%d\n", b.Writer)
	fmt.Fprintf(t, "format\t%d\n", b.Format)
	return t.Flush()
}
