package app

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/urfave/cli/v2"

	"selfplay/datasets/disk"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/typo"
	"selfplay/workers"
)

// Dir returns the only positional argument of a command: an existing directory.
func Dir(c *cli.Context) (string, error) {
	dirs, err := Dirs(c, 1)
	if err != nil {
		return "", err
	}
	return dirs[0], nil
}

// Dirs returns the positional arguments of a command: 1 to most existing directories, or URLs of
// object stores, which are not checked here.
func Dirs(c *cli.Context, most int) ([]string, error) {
	dirs := c.Args().Slice()
	switch {
	case len(dirs) == 0:
		return nil, Usage("no directory: want %s [flags] %s", c.Command.HelpName, c.Command.ArgsUsage)
	case len(dirs) > most:
		return nil, Usage("unexpected argument %q: want %s", dirs[most], c.Command.ArgsUsage)
	}
	for _, dir := range dirs {
		if err := checkDir(dir); err != nil {
			return nil, err
		}
	}
	return dirs, nil
}

func checkDir(dir string) error {
	if dir == "" {
		return Usage("the name of the directory is empty")
	}
	if disk.IsURL(dir) {
		return CheckStore(dir)
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Usage("open %s: no such directory", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return Usage("open %s: not a directory", dir)
	}
	return nil
}

// NoArgs refuses positional arguments.
func NoArgs(c *cli.Context) error {
	if !c.Args().Present() {
		return nil
	}
	return Usage("unexpected argument %q: %s takes flags only", c.Args().First(), c.Command.Name)
}

// Required returns the value of a flag that must be given.
func Required(c *cli.Context, flag string) (string, error) {
	if err := RequireFlags(c, flag); err != nil {
		return "", err
	}
	return c.String(flag), nil
}

// RequireFlags refuses a command line without the given flags. Its error names all that
// are missing. A flag with a default is never missing, one with an empty value always is.
func RequireFlags(c *cli.Context, flags ...string) error {
	var missing []string
	for _, f := range flags {
		if text := c.String(f); text == "" || text == "0" && !c.IsSet(f) {
			missing = append(missing, "--"+f)
		}
	}
	switch len(missing) {
	case 0:
		return nil
	case 1:
		return Usage("flag %s is missing", missing[0])
	}
	return Usage("flags %s are missing", english.WordSeries(missing, "and"))
}

// catalogKey is the key of the catalog in the metadata of a program.
const catalogKey = "catalog"

// Catalog returns the games and the players of the program that a command belongs to.
func Catalog(c *cli.Context) workers.Catalog { return c.App.Metadata[catalogKey].(workers.Catalog) }

// FindGame returns the game with the given name, in any case.
func FindGame(games encode.Catalog, name string) (encode.Game, error) {
	game, err := games.Find(strings.ToLower(name))
	if err == nil {
		return game, nil
	}
	names := games.Names()
	if suggestion := typo.DidYouMean(name, names, "%q"); suggestion != "" {
		return game, Usage("unknown game %q%s", name, suggestion)
	}
	return game, Usage("unknown game %q: want one of %s", name, strings.Join(names, ", "))
}

// FindVariant returns the name of a variant that a plan keeps: that of the default variant
// too if the game has several.
func FindVariant(g *engine.Game, name string) (string, error) {
	switch {
	case name == "" && len(g.Variants) > 0:
		return g.Variants[0], nil
	case g.HasVariant(name):
		return name, nil
	case len(g.Variants) == 0:
		return "", Usage("unknown variant %q: %s has no variants", name, g.Name)
	}
	return "", Usage("unknown variant %q: want %s", name, english.WordSeries(g.NamedVariants(), "or"))
}
