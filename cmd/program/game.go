package program

import (
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/uci"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// gameFlags choose a game and its variant.
func gameFlags(games encode.Catalog) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "game", Category: app.Game, Usage: "`NAME` of the game: " + strings.Join(games.Names(), ", ")},
		&cli.StringFlag{Name: "variant", Category: app.Game, DefaultText: "the game's first", Usage: "`NAME` of the variant of its rules: " + variantList(games)},
	}
}

// engineFlag chooses one of the engines of the game.
func engineFlag(games encode.Catalog) cli.Flag {
	return &cli.StringFlag{Name: "engine", Category: app.Game, DefaultText: "the game's first",
		Usage: "`NAME` of the implementation of its rules: " + engineList(games) + "; the output is the same"}
}

// engineList lists the engines of the games that have several: mailbox or bitboard (cotulenh).
func engineList(games encode.Catalog) string {
	var list []string
	for _, g := range games {
		var names []string
		for _, e := range g.Engines {
			names = append(names, e.Name)
		}
		if len(names) > 0 {
			list = append(list, strings.Join(names, " or ")+" ("+g.Name+")")
		}
	}
	return strings.Join(list, ", ")
}

// variantList lists the named variants of the games that have several: before or after (contrast).
func variantList(games encode.Catalog) string {
	var list []string
	for _, g := range games {
		if len(g.Variants) > 1 {
			list = append(list, strings.Join(g.NamedVariants(), " or ")+" ("+g.Name+")")
		}
	}
	return strings.Join(list, ", ")
}

// gameFrom returns the game and the variant that the flags name, on the engine that they name.
func gameFrom(c *cli.Context) (game encode.Game, variant string, err error) {
	name, err := app.Required(c, "game")
	if err != nil {
		return game, "", err
	}
	if game, err = app.FindGame(app.Catalog(c).Games, name); err != nil {
		return game, "", err
	}
	if engine := c.String("engine"); engine != "" {
		if err := game.UseEngine(engine); err != nil {
			return game, "", app.Usage("%v", err)
		}
	}
	variant, err = app.FindVariant(&game.Game, c.String("variant"))
	return game, variant, err
}

// playerFlags choose the players.
func playerFlags() []cli.Flag {
	player := func(name, value, usage string) cli.Flag {
		f := &cli.StringFlag{Name: name, Category: app.Players, Value: value, Usage: usage}
		if value != "" {
			f.DefaultText = "that of the preset " + defaultPreset + ", in games without it " + value
		}
		return f
	}
	return []cli.Flag{
		player("player", defaultPlayer, "`PLAYER` of both sides, such as ab:depth=2; selfplay players lists them"),
		player("player-first", "", "`PLAYER` of side 0 (white in chess, red in CoTuLenh, black in Contrast), in place of --player"),
		player("player-second", "", "`PLAYER` of side 1, in place of --player"),
	}
}

// playersFrom returns the players of both sides. --player and the flag of one side exclude
// each other, unless exactly one of them comes from the environment: the command line
// outranks it.
func playersFrom(c *cli.Context, g *engine.Game, find workers.Sources) (players [2]workers.PlayerSpec, err error) {
	for side, flag := range [2]string{"player-first", "player-second"} {
		text := c.String("player")
		switch both := fromEnvironment(c, "player"); {
		case !c.IsSet(flag):
		case c.IsSet("player") && both == fromEnvironment(c, flag):
			return players, app.Usage("flags --player and --%s exclude each other", flag)
		case both || !c.IsSet("player"):
			text = c.String(flag)
		}
		if players[side], err = ownPlayer(c, g, text, find); err != nil {
			return players, err
		}
	}
	return players, nil
}

// ownPlayer parses a player. It refuses UCI engines where find finds none.
func ownPlayer(c *cli.Context, g *engine.Game, text string, find workers.Sources) (workers.PlayerSpec, error) {
	if uci.HasEngine(text) && find.Externals == nil {
		return workers.PlayerSpec{}, app.Usage("player %q: UCI engines play in selfplay run, match (in no mixture) and export rescore only", text)
	}
	spec, err := app.Catalog(c).Players.ParseFrom(g, text, find)
	if err != nil {
		return spec, app.Usage("%v", err)
	}
	return spec, nil
}

// seedFlag returns --seed.
func seedFlag() cli.Flag {
	return &cli.Uint64Flag{Name: "seed", Category: app.Game, Value: 1, Usage: "`NUMBER` that all random choices derive from"}
}

// maxPliesFlag returns --max-plies.
func maxPliesFlag() cli.Flag {
	f := app.CountFlag("max-plies", 0, app.Game, "cut off games after `N` plies, without a result")
	f.DefaultText = "the game's own limit"
	return f
}

// maxPliesFrom reads --max-plies.
func maxPliesFrom(c *cli.Context, g *engine.Game) (int, error) {
	n := uint64(g.MaxPlies)
	if c.IsSet("max-plies") {
		n = c.Uint64("max-plies")
	}
	if n < 1 || n > maxPlies {
		return 0, app.Usage("max-plies %d: want 1 to %d", n, maxPlies)
	}
	return int(n), nil
}

// maxWorkers bounds --workers; no machine has more hardware threads.
const maxWorkers = 4096

// workersFlag returns --workers.
func workersFlag() cli.Flag {
	return &cli.IntFlag{Name: "workers", Category: app.Output, DefaultText: "one per processor; twice the batch of a model", Usage: "play `W` games at once"}
}

// workersFrom reads --workers. With a model its default keeps the batches full.
func workersFrom(c *cli.Context, s *workers.Series, processors int) (int, error) {
	n := processors
	if games := s.GamesAtOnce(); games > 0 {
		n = min(max(games, processors), maxWorkers)
	}
	if c.IsSet("workers") {
		n = c.Int("workers")
	}
	if n < 1 || n > maxWorkers {
		return 0, app.Usage("workers %d: want 1 to %d", n, maxWorkers)
	}
	return n, nil
}
