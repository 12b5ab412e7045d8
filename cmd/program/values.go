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
func values(known workers.Catalog) map[string]app.Values {
	all, catalog := export.Values(known.Games), completion(known)
	maps.Copy(all, map[string]app.Values{
		"game":          app.OneOf(known.Games.Names()...),
		"games table":   app.OneOf(known.Games.Names()...),
		"variant":       catalog.variants,
		"engine":        catalog.engines,
		"preset":        catalog.presets,
		"player":        catalog.players,
		"player-first":  catalog.players,
		"player-second": catalog.players,
		"a":             catalog.players,
		"b":             catalog.players,
	})
	return all
}

// completion completes flags to what a catalog has.
type completion workers.Catalog

// gamesOf returns the game on the line, or all games.
func (k completion) gamesOf(given func(string) string) encode.Catalog {
	if game, err := app.FindGame(k.Games, given("game")); err == nil {
		return encode.Catalog{game}
	}
	return k.Games
}

func (k completion) variants(_ string, given func(string) string) (list []string) {
	for _, g := range k.gamesOf(given) {
		list = append(list, g.NamedVariants()...)
	}
	return list
}

func (k completion) engines(_ string, given func(string) string) (list []string) {
	for _, g := range k.gamesOf(given) {
		for _, e := range g.Engines {
			list = append(list, e.Name)
		}
	}
	return list
}

func (k completion) presets(_ string, given func(string) string) []string {
	return presetNames(k.gamesOf(given)[0].Presets)
}

// players returns the players, and after the colon of one its parameters.
func (k completion) players(typed string, given func(string) string) (list []string) {
	game := k.gamesOf(given)[0]
	for _, kind := range k.Players.Facts(&game.Game) {
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
