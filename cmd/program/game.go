package program

import (
	"math"
	"runtime/debug"
	"strings"

	"github.com/pbnjay/memory"
	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/ask"
	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/uci"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// gameFlags choose a game and its variant.
func gameFlags(games encode.Catalog) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "game", Category: groupGame, Usage: "`NAME` of the game: " + strings.Join(games.Names(), ", ")},
		&cli.StringFlag{Name: "variant", Category: groupGame, DefaultText: "the game's first", Usage: "`NAME` of the variant of its rules: " + variantList(games)},
	}
}

// engineFlag chooses one of the engines of the game.
func engineFlag(games encode.Catalog) cli.Flag {
	return &cli.StringFlag{Name: "engine", Category: groupGame, DefaultText: "the game's first",
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
	name, err := required(c, "game")
	if err != nil {
		return game, "", err
	}
	if game, err = findGame(catalogOf(c).Games, name); err != nil {
		return game, "", err
	}
	engine := c.String("engine")
	if engine != "" {
		if err := game.UseEngine(engine); err != nil {
			return game, "", usagef("%v", err)
		}
	}
	variant, err = findVariant(&game.Game, c.String("variant"))
	return game, variant, err
}

// playerFlags choose the players.
func playerFlags() []cli.Flag {
	player := func(name, value, usage string) cli.Flag {
		f := &cli.StringFlag{Name: name, Category: groupPlayers, Value: value, Usage: usage}
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
		both := fromEnvironment(c, "player")
		switch {
		case !c.IsSet(flag):
		case c.IsSet("player") && both == fromEnvironment(c, flag):
			return players, usagef("flags --player and --%s exclude each other", flag)
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
		return workers.PlayerSpec{}, usagef("player %q: UCI engines play in selfplay run, match (in no mixture) and rescore only", text)
	}
	spec, err := catalogOf(c).Players.ParseFrom(g, text, find)
	if err != nil {
		return spec, usagef("%v", err)
	}
	return spec, nil
}

// seedFlag returns --seed.
func seedFlag() cli.Flag {
	return &cli.Uint64Flag{Name: "seed", Category: groupGame, Value: 1, Usage: "`NUMBER` that all random choices derive from"}
}

// maxPliesFlag returns --max-plies.
func maxPliesFlag() cli.Flag {
	f := countFlag("max-plies", 0, groupGame, "cut off games after `N` plies, without a result")
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
		return 0, usagef("max-plies %d: want 1 to %d", n, maxPlies)
	}
	return int(n), nil
}

// maxWorkers bounds --workers; no machine has more hardware threads.
const maxWorkers = 4096

// workersFlag returns --workers.
func workersFlag() cli.Flag {
	return &cli.IntFlag{Name: "workers", Category: groupOutput, DefaultText: "one per processor; twice the batch of a model", Usage: "play `W` games at once"}
}

// workersFrom reads --workers. With a model its default keeps the batches full.
func workersFrom(c *cli.Context, s *workers.Series, processors int) (int, error) {
	n := processors
	games := s.GamesAtOnce()
	if games > 0 {
		n = min(max(games, processors), maxWorkers)
	}
	if c.IsSet("workers") {
		n = c.Int("workers")
	}
	if n < 1 || n > maxWorkers {
		return 0, usagef("workers %d: want 1 to %d", n, maxWorkers)
	}
	return n, nil
}

// positionFlags choose a position and how strictly it is read.
func positionFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "position", Category: groupGame, DefaultText: "the start of the game",
			Usage: "`TEXT` of the position, or {\"board_array\":[...],\"side\":\"...\"}"},
		&cli.BoolFlag{Name: "strict", Category: groupGame, Usage: "refuse an array of an older version that leaves part of the position unknown"},
	}
}

// positionFrom returns the game and the position of the flags.
func positionFrom(c *cli.Context) (encode.Game, engine.Position, error) {
	game, variant, err := gameFrom(c)
	if err != nil {
		return game, nil, err
	}
	q, err := ask.ParsePosition(c.String("position"))
	if err != nil {
		return game, nil, usagef("%v", err)
	}
	pos := game.New(variant)
	if err := q.Set(pos, &game, c.Bool("strict")); err != nil {
		return game, nil, usagef("%v", err)
	}
	return game, pos, nil
}

// What plays without --player and --preset: the preset, in games without it the player.
const (
	defaultPreset = "bulk"
	defaultPlayer = "random"
)

// checkTables returns a usage error if the tables and trees of players may take more memory than there is. Go ends
// a program that runs out of memory with a stack of every goroutine. remedy says what to do.
func checkTables(bytes uint64, remedy string) error {
	available := availableMemory()
	if bytes <= available {
		return nil
	}
	return usagef("the tables and trees of the players take up to %s, and %s of memory are available: %s",
		human.Size(float64(bytes)), human.Size(float64(available)), remedy)
}

// What to do about tables that are too large.
const (
	lowerHash     = "lower hash or sims"
	fewerWorkers  = "lower hash or sims, or use fewer --workers"
	largerMachine = "they are part of the plan: use a machine with more memory"
	fewerThreads  = "they are part of the plan: set GOMAXPROCS=1 to play one game at a time, or use a machine with more memory"
)

// availableMemory returns the number of bytes that the program may take: those that the system has
// left, and no more than GOMEMLIMIT, which exitWith sets to the limit of the cgroup.
func availableMemory() uint64 {
	available := systemMemory()
	if available == 0 {
		available = memory.TotalMemory()
	}
	if available == 0 { // the system does not say
		available = math.MaxUint64
	}
	return min(available, uint64(debug.SetMemoryLimit(-1)))
}

// maxPlies bounds --max-plies: the ply column has 16 bits.
const maxPlies = math.MaxUint16
