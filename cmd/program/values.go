package program

import (
	"maps"
	"strings"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/export"
	"selfplay/encode"
	"selfplay/workers"
)

// values returns the values that the flags of all commands complete to.
func values() map[string]app.Values {
	all := export.Values()
	maps.Copy(all, map[string]app.Values{
		"game":          app.OneOf(encode.Names()...),
		"variant":       variantValues,
		"engine":        engineValues,
		"preset":        presetValues,
		"player":        playerValues,
		"player-first":  playerValues,
		"player-second": playerValues,
		"a":             playerValues,
		"b":             playerValues,
	})
	return all
}

// gamesOf returns the game on the line, or all games.
func gamesOf(given func(string) string) []encode.Game {
	if game, err := app.FindGame(given("game")); err == nil {
		return []encode.Game{game}
	}
	return encode.Games()
}

func variantValues(_ string, given func(string) string) (list []string) {
	for _, g := range gamesOf(given) {
		list = append(list, g.Variants...)
	}
	return list
}

func engineValues(_ string, given func(string) string) (list []string) {
	for _, g := range gamesOf(given) {
		for _, e := range g.Engines {
			list = append(list, e.Name)
		}
	}
	return list
}

func presetValues(_ string, given func(string) string) []string {
	return presetNames(gamesOf(given)[0].Presets)
}

// playerValues returns the players, and after the colon of one its parameters.
func playerValues(typed string, given func(string) string) (list []string) {
	game := gamesOf(given)[0]
	for _, kind := range workers.PlayerTypes(&game.Game) {
		if !strings.HasPrefix(typed, kind.Name+":") {
			list = append(list, kind.Name)
			continue
		}
		before := typed[:strings.LastIndexAny(typed, ":,")+1]
		for _, p := range kind.Params {
			name := p.Name
			if p.Default != "" { // else it is a switch
				name += "="
			}
			list = append(list, before+name)
		}
	}
	return list
}
