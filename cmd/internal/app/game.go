package app

import (
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

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
	if suggestion := didYouMean(name, names, "%q"); suggestion != "" {
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
	return "", Usage("unknown variant %q: want one of %s", name, strings.Join(g.Variants, ", "))
}
