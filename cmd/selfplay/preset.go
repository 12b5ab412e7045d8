package main

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/encode"
)

// preset is a name for some flags of run. A dataset knows only what the flags say, so
// a preset may change when better values are known.
type preset struct {
	Name  string `json:"name"`
	Doc   string `json:"doc"`   // one line
	Flags string `json:"flags"` // as they stand on a command line
}

// What the presets of a game have in common. A lead of 1000 centi-units for six plies
// wins 98 of 100 games of ab:depth=3 in CoTuLenh, and all but one in chess; weaker players
// often fail to win it, and labels are better if they need not. Scores near 0 foretell no
// draw, so no preset adjudicates draws. Rows that nobody searched have no score to learn
// from.
const (
	decided = " --adjudicate-win 1000,6 --play-out 0.1"
	scored  = " --skip limit,unsearched"
)

// presets lists what suits each game, the cheapest first. Games of Contrast end before
// a lead lasts; with a little temperature those of depth 2 do not go in circles.
func presets(game string) []preset {
	const (
		bulk     = "shallow games that go astray now and then, for many rows soon"
		balanced = "searched games from level openings, with policies of four moves"
		strong   = "the deepest search that a night has time for"
	)
	return map[string][]preset{
		"cotulenh": {
			{"bulk", bulk, "--player ab:depth=1 --opening-plies 4-10 --explore-moves 4 --explore-plies 0-60" + decided + scored},
			{"balanced", balanced, "--player ab:depth=2,multi=4 --opening-plies 4-10 --opening-max-score 300" +
				" --explore-moves 3 --explore-plies 0-40 --explore-among 4 --explore-window 100" + decided + scored},
			{"strong", strong, "--player ab:depth=3,hash=4 --opening-plies 4-10 --opening-max-score 300" + decided + scored},
		},
		"chess": {
			{"bulk", bulk, "--player ab:depth=1 --opening-plies 4-10 --explore-moves 4 --explore-plies 0-60" + decided + scored},
			{"balanced", balanced, "--player ab:depth=2,multi=4 --opening-plies 4-10 --opening-max-score 300" +
				" --explore-moves 3 --explore-plies 0-40 --explore-among 4 --explore-window 100" + decided + scored},
			{"strong", strong, "--player ab:depth=4,hash=4 --opening-plies 4-10 --opening-max-score 300" + decided + scored},
		},
		"contrast": {
			{"bulk", bulk, "--player ab:depth=1 --opening-plies 4-10 --explore-moves 2 --explore-plies 0-20" + scored},
			{"balanced", balanced, "--player ab:depth=2,multi=4,temp=10 --opening-plies 4-10 --opening-max-score 150" +
				" --explore-moves 2 --explore-plies 0-20 --explore-among 4 --explore-window 100" + scored},
			{"strong", strong, "--player ab:depth=3,hash=4 --opening-plies 4-10 --opening-max-score 150" + scored},
		},
	}[game]
}

// setting is a flag with its value, and the line of the file that it stands in.
type setting struct {
	flag, value string
	line        int
}

func (s setting) String() string { return "--" + s.flag + " " + s.value }

// settings returns the flags one by one.
func (p *preset) settings() (list []setting) {
	words := strings.Fields(p.Flags)
	for i := 0; i+1 < len(words); i += 2 {
		list = append(list, setting{flag: strings.TrimPrefix(words[i], "--"), value: words[i+1]})
	}
	return list
}

func presetFlag() cli.Flag {
	return &cli.StringFlag{Name: "preset", Category: app.Game, Usage: "`NAME` of flags that suit the game: bulk, balanced or strong; flags that are given too come first"}
}

// usePreset sets the flags that the preset stands for and that were not given, and
// returns them as they stand on a command line; none without a preset.
func usePreset(c *cli.Context) (used []string, err error) {
	name := c.String("preset")
	if name == "" {
		return nil, nil
	}
	game, _, err := gameFrom(c)
	if err != nil {
		return nil, err
	}
	list := presets(game.Name)
	i := slices.IndexFunc(list, func(p preset) bool { return p.Name == name })
	if i < 0 {
		return nil, app.Usage("unknown preset %q of %s: want one of %s", name, game.Name, strings.Join(presetNames(list), ", "))
	}
	for _, s := range forSides(c, list[i].settings()) {
		if c.IsSet(s.flag) {
			continue
		}
		if err := c.Set(s.flag, s.value); err != nil {
			return nil, fmt.Errorf("set flag --%s of preset %s: %w", s.flag, name, err)
		}
		used = append(used, s.String())
	}
	return used, nil
}

// forSides turns the player of both sides into one for each if the player of a side was
// given, and drops that of a side if that of both was: flags of both kinds exclude each
// other, and what was given comes first.
func forSides(c *cli.Context, list []setting) (turned []setting) {
	both, sides := c.IsSet("player"), c.IsSet("player-first") || c.IsSet("player-second")
	for _, s := range list {
		switch {
		case s.flag == "player" && sides && !both:
			turned = append(turned, setting{"player-first", s.value, s.line}, setting{"player-second", s.value, s.line})
		case both && (s.flag == "player-first" || s.flag == "player-second"):
		default:
			turned = append(turned, s)
		}
	}
	return turned
}

func presetNames(list []preset) (names []string) {
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names
}

// logPreset says what a preset stood for.
func logPreset(log *slog.Logger, name string, used []string) {
	if name != "" {
		log.Info("preset", "name", name, "flags", strings.Join(used, " "))
	}
}

func presetsCommand() *cli.Command {
	return &cli.Command{
		Name:  "presets",
		Usage: "list the presets of run for a game with the flags they stand for",
		Flags: append(gameFlags(), &cli.BoolFlag{Name: "json", Usage: "print one line of JSON"}),
		Action: func(c *cli.Context) error {
			if err := app.NoArgs(c); err != nil {
				return err
			}
			game, _, err := gameFrom(c)
			if err != nil {
				return err
			}
			list := presets(game.Name)
			if c.Bool("json") {
				return encode.NewJSON(c.App.Writer).Encode(list)
			}
			t := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
			for _, p := range list {
				fmt.Fprintf(t, "%s\t%s\n\t%s\n", p.Name, p.Doc, p.Flags)
			}
			return t.Flush()
		},
	}
}
