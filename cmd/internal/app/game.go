package app

import (
	"strings"

	"selfplay/encode"
)

// FindGame returns the game with the given name, in any case.
func FindGame(name string) (encode.Game, error) {
	game, err := encode.Find(strings.ToLower(name))
	if err != nil {
		return game, Usage("unknown game %q%s: want one of %s", name, didYouMean(name, encode.Names()), strings.Join(encode.Names(), ", "))
	}
	return game, nil
}
