package app

import (
	"strings"

	"selfplay/encode"
	"selfplay/engine"
)

// FindGame returns the game with the given name, in any case.
func FindGame(name string) (encode.Game, error) {
	game, err := encode.Find(strings.ToLower(name))
	if err == nil {
		return game, nil
	}
	names := encode.Names()
	if suggestion := didYouMean(name, names); suggestion != "" {
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
