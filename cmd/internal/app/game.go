package app

import (
	"strings"

	"selfplay/encode"
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
