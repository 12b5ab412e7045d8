package program

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/encode"
	"selfplay/internal/typo"
	"selfplay/workers"
)

// setting is a flag with its value. line is its line in a configuration file, 0 elsewhere.
type setting struct {
	flag, value string
	line        int
}

func (s setting) String() string { return "--" + s.flag + " " + quoted(s.value) }

// quoted returns a value as a shell takes it.
func quoted(value string) string {
	if strings.ContainsAny(value, "!<>|") {
		return "'" + value + "'"
	}
	return value
}

// presetSettings returns the flags of a preset one by one.
func presetSettings(p *encode.Preset) (list []setting) {
	words := strings.Fields(p.Flags)
	for i := 0; i+1 < len(words); i += 2 {
		list = append(list, setting{flag: strings.TrimPrefix(words[i], "--"), value: words[i+1]})
	}
	return list
}

func presetFlag() cli.Flag {
	return &cli.StringFlag{Name: "preset", Category: app.Game, DefaultText: defaultPreset + " without a player, if the game has it", Usage: "`NAME` of a set of flags that suit the game: " + strings.Join(encode.PresetNames(), ", ") + "; explicit flags override it, but --where adds conditions to those of the preset, and --where '' removes them"}
}

// usedPreset is the preset of a run.
type usedPreset struct {
	name      string   // "" for none
	flags     []string // that it set, as they are written on a command line
	byDefault bool     // neither a player nor a preset was given
}

// log says which flags the preset set, and what plays if no flag says it.
func (p usedPreset) log(log *slog.Logger) {
	if p.byDefault {
		log = log.With("why", p.why())
	}
	switch {
	case p.name != "":
		log.Info("preset", "name", p.name, "flags", strings.Join(p.flags, " "))
	case p.byDefault:
		log.Info("player", "name", defaultPlayer)
	}
}

// why says why a run without a player has this preset, or none.
func (p usedPreset) why() string {
	if p.name != "" {
		return "no --player"
	}
	return "no --player, and the game has no preset " + defaultPreset
}

// What plays without --player and --preset: the preset, in games without it the player.
const (
	defaultPreset = "bulk"
	defaultPlayer = "random"
)

// usePreset sets the flags of the preset that were not given. Its conditions are added to those that were
// given; an empty text keeps them out.
func usePreset(c *cli.Context) (used usedPreset, err error) {
	used.name = c.String("preset")
	used.byDefault = used.name == "" && !slices.ContainsFunc([]string{"player", "player-first", "player-second"}, c.IsSet)
	if used.name == "" && !used.byDefault {
		return used, nil
	}
	game, _, err := gameFrom(c)
	if err != nil {
		return used, err
	}
	if used.byDefault {
		if !slices.Contains(presetNames(game.Presets), defaultPreset) {
			return used, nil
		}
		used.name = defaultPreset
	}
	p, err := findPreset(&game, used.name)
	if err != nil {
		return used, err
	}
	for _, s := range forSides(c, presetSettings(p)) {
		value := s.value
		switch given := c.String(s.flag); {
		case s.flag == "where" && given != "":
			value = given + "," + value
		case c.IsSet(s.flag):
			continue
		}
		if err := c.Set(s.flag, value); err != nil {
			return used, fmt.Errorf("set flag --%s of preset %s: %w", s.flag, used.name, err)
		}
		used.flags = append(used.flags, s.String())
	}
	return used, nil
}

func findPreset(game *encode.Game, name string) (*encode.Preset, error) {
	list := game.Presets
	i := slices.IndexFunc(list, func(p encode.Preset) bool { return p.Name == name })
	if i < 0 {
		if meant := typo.DidYouMean(name, presetNames(list), "%q"); meant != "" {
			return nil, app.Usage("unknown preset %q of %s%s", name, game.Name, meant)
		}
		return nil, app.Usage("unknown preset %q of %s: want one of %s", name, game.Name, strings.Join(presetNames(list), ", "))
	}
	return &list[i], nil
}

// forSides resolves conflicts between the players of a preset and the players that were
// given: --player excludes --player-first and --player-second. If the player of one side was
// given, --player becomes one flag per side. If --player was given, the players of the sides
// are dropped.
func forSides(c *cli.Context, list []setting) (resolved []setting) {
	both, sides := c.IsSet("player"), c.IsSet("player-first") || c.IsSet("player-second")
	for _, s := range list {
		switch {
		case s.flag == "player" && sides && !both:
			resolved = append(resolved, setting{"player-first", s.value, s.line}, setting{"player-second", s.value, s.line})
		case both && (s.flag == "player-first" || s.flag == "player-second"):
		default:
			resolved = append(resolved, s)
		}
	}
	return resolved
}

func presetNames(list []encode.Preset) (names []string) {
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names
}

func presetsCommand(games encode.Catalog) *cli.Command {
	return listCommand(games, "presets", "list the presets of a game with their flags",
		func(_ workers.Catalog, g *encode.Game) []encode.Preset { return g.Presets },
		func(w io.Writer, list []encode.Preset) {
			for _, p := range list {
				fmt.Fprintf(w, "%s\t%s\n\t", p.Name, p.Doc)
				for i, s := range presetSettings(&p) {
					fmt.Fprint(w, []string{"", " "}[min(i, 1)], s)
				}
				fmt.Fprintln(w)
			}
		})
}
