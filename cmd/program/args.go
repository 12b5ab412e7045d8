package program

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/urfave/cli/v2"

	"selfplay/datasets/disk"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/typo"
	"selfplay/workers"
)

// dirArg returns the only positional argument of a command: an existing directory.
func dirArg(c *cli.Context) (string, error) {
	dirs, err := dirArgs(c, 1)
	if err != nil {
		return "", err
	}
	return dirs[0], nil
}

// dirArgs returns the positional arguments of a command: 1 to most existing directories, or URLs of
// object stores, which are not checked here.
func dirArgs(c *cli.Context, most int) ([]string, error) {
	dirs := c.Args().Slice()
	switch {
	case len(dirs) == 0:
		return nil, usagef("no directory: want %s [flags] %s", c.Command.HelpName, c.Command.ArgsUsage)
	case len(dirs) > most:
		return nil, usagef("unexpected argument %q: want %s", dirs[most], c.Command.ArgsUsage)
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
		return usagef("the name of the directory is empty")
	}
	if disk.IsURL(dir) {
		return checkStore(dir)
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usagef("open %s: no such directory", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return usagef("open %s: not a directory", dir)
	}
	return nil
}

// noArgs refuses positional arguments.
func noArgs(c *cli.Context) error {
	if !c.Args().Present() {
		return nil
	}
	return usagef("unexpected argument %q: %s takes flags only", c.Args().First(), c.Command.Name)
}

// required returns the value of a flag that must be given.
func required(c *cli.Context, flag string) (string, error) {
	if err := requireFlags(c, flag); err != nil {
		return "", err
	}
	return c.String(flag), nil
}

// requireFlags refuses a command line without the given flags. Its error names all that
// are missing. A flag with a default is never missing, one with an empty value always is.
func requireFlags(c *cli.Context, flags ...string) error {
	var missing []string
	for _, f := range flags {
		text := c.String(f)
		if text == "" || text == "0" && !c.IsSet(f) {
			missing = append(missing, "--"+f)
		}
	}
	switch len(missing) {
	case 0:
		return nil
	case 1:
		return usagef("flag %s is missing", missing[0])
	}
	return usagef("flags %s are missing", english.WordSeries(missing, "and"))
}

// catalogKey is the key of the catalog in the metadata of a program.
const catalogKey = "catalog"

// catalogOf returns the games and the players of the program that a command belongs to.
func catalogOf(c *cli.Context) workers.Catalog { return c.App.Metadata[catalogKey].(workers.Catalog) }

// findGame returns the game with the given name, in any case.
func findGame(games encode.Catalog, name string) (encode.Game, error) {
	game, err := games.Find(strings.ToLower(name))
	if err == nil {
		return game, nil
	}
	names := games.Names()
	suggestion := typo.DidYouMean(name, names, "%q")
	if suggestion != "" {
		return game, usagef("unknown game %q%s", name, suggestion)
	}
	return game, usagef("unknown game %q: want one of %s", name, strings.Join(names, ", "))
}

// findVariant returns the name of a variant that a plan keeps: that of the default variant
// too if the game has several.
func findVariant(g *engine.Game, name string) (string, error) {
	switch {
	case name == "" && len(g.Variants) > 0:
		return g.Variants[0], nil
	case g.HasVariant(name):
		return name, nil
	case len(g.Variants) == 0:
		return "", usagef("unknown variant %q: %s has no variants", name, g.Name)
	}
	return "", usagef("unknown variant %q: want %s", name, english.WordSeries(g.NamedVariants(), "or"))
}

// absolutePath returns the absolute form of a path, or the path itself if the working directory
// is unknown or it is a URL.
func absolutePath(path string) string {
	if disk.IsURL(path) {
		return path
	}
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
