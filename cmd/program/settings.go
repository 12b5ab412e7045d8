package program

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"go.yaml.in/yaml/v3"

	"selfplay/datasets/disk"
	"selfplay/encode"
	"selfplay/internal/typo"
)

// flagSetting is a flag with its value. line is its line in a configuration file, 0 elsewhere.
type flagSetting struct {
	flag, value string
	line        int
}

func (s flagSetting) String() string { return "--" + s.flag + " " + shellQuoted(s.value) }

// presetSettings returns the flags of a preset one by one.
func presetSettings(p *encode.Preset) (list []flagSetting) {
	words := strings.Fields(p.Flags)
	for i := 0; i+1 < len(words); i += 2 {
		list = append(list, flagSetting{flag: strings.TrimPrefix(words[i], "--"), value: words[i+1]})
	}
	return list
}

func presetFlag() cli.Flag {
	return &cli.StringFlag{Name: "preset", Category: groupGame, DefaultText: defaultPreset + " without a player, if the game has it", Usage: "`NAME` of a set of flags that suit the game: " + strings.Join(encode.PresetNames(), ", ") + "; explicit flags override it, but --where adds conditions to those of the preset, and --where '' removes them"}
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
		given := c.String(s.flag)
		switch {
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
		meant := typo.DidYouMean(name, presetNames(list), "%q")
		if meant != "" {
			return nil, usagef("unknown preset %q of %s%s", name, game.Name, meant)
		}
		if list == nil {
			return nil, usagef("preset %q: %s has none: give the flags yourself", name, game.Name)
		}
		return nil, usagef("unknown preset %q of %s: want one of %s", name, game.Name, strings.Join(presetNames(list), ", "))
	}
	return &list[i], nil
}

// forSides resolves conflicts between the players of a preset and the players that were
// given: --player excludes --player-first and --player-second. If the player of one side was
// given, --player becomes one flag per side. If --player was given, the players of the sides
// are dropped.
func forSides(c *cli.Context, list []flagSetting) (resolved []flagSetting) {
	both, sides := c.IsSet("player"), c.IsSet("player-first") || c.IsSet("player-second")
	for _, s := range list {
		switch {
		case s.flag == "player" && sides && !both:
			resolved = append(resolved, flagSetting{"player-first", s.value, s.line}, flagSetting{"player-second", s.value, s.line})
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

// Every flag of run may also be set by an environment variable, SELFPLAY_ and the flag's
// name, or by the file of --config. The command line outranks the environment, the
// environment outranks the file, and the file outranks a preset.

func configFlag() cli.Flag {
	return &cli.StringFlag{Name: "config", Category: groupGame, Usage: "read flags from a YAML `FILE` with lines such as games: 4000"}
}

// refuseUnknownVariables refuses a SELFPLAY_ variable that belongs to no flag of the
// command. The one for debugging belongs to every command.
func refuseUnknownVariables(c *cli.Context) error {
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		known := func(f cli.Flag) bool { return variableOf(f.Names()[0]) == name }
		if strings.HasPrefix(name, variablePrefix) && name != debugVariable && !slices.ContainsFunc(c.Command.Flags, known) {
			return usagef("unknown variable %s: want %s and the name of a flag of %s", name, variablePrefix, c.Command.Name)
		}
	}
	return nil
}

// notInFile lists the flags that a file cannot set. They belong to a single run, or the
// program reads them before the file.
var notInFile = []string{"config", "task-index", "quiet", "log-format"}

// maxConfig is the size in bytes of the largest file of --config.
const maxConfig = 1 << 20

// applyConfig sets the flags that are in the file of --config and nowhere else.
func applyConfig(c *cli.Context) error {
	name := c.String("config")
	if name == "" {
		return nil
	}
	data, err := disk.ReadRegular(name, maxConfig)
	if err != nil {
		return usagef("read config: %v", err)
	}
	settings, err := parseConfig(data)
	if err != nil {
		return usagef("read config: %s: %v", name, err)
	}
	for _, s := range forSides(c, settings) {
		if err := applySetting(c, s); err != nil {
			return usagef("read config: %s line %d: %v", name, s.line, err)
		}
	}
	return nil
}

// applySetting sets a flag unless it is set.
func applySetting(c *cli.Context, s flagSetting) error {
	known := slices.ContainsFunc(c.Command.Flags, func(f cli.Flag) bool { return f.Names()[0] == s.flag })
	switch {
	case !known:
		return fmt.Errorf("unknown key %q: want the name of a flag of run", s.flag)
	case slices.Contains(notInFile, s.flag):
		return fmt.Errorf("%q cannot be set in a file", s.flag)
	case c.IsSet(s.flag):
		return nil
	}
	if setFlag(c, s.flag, s.value) != nil {
		return fmt.Errorf("invalid value %q of %s%s", s.value, s.flag, expected(c, s.flag, s.value))
	}
	return nil
}

// parseConfig parses a YAML mapping of names to scalars, in the order of the file.
func parseConfig(data []byte) ([]flagSetting, error) {
	root, err := parseDocument(data)
	if err != nil || root == nil {
		return nil, err
	}
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: want names and values, one per line", root.Line)
	}
	var list []flagSetting
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if beginsWithTag(data, key) || beginsWithTag(data, value) {
			return nil, fmt.Errorf("line %d: %s: %s", key.Line, key.Value, inQuotes)
		}
		if key.Kind != yaml.ScalarNode || value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
			return nil, fmt.Errorf("line %d: %s: want one plain value", key.Line, key.Value)
		}
		if slices.ContainsFunc(list, func(s flagSetting) bool { return s.flag == key.Value }) {
			return nil, fmt.Errorf("line %d: %s is set twice", key.Line, key.Value)
		}
		list = append(list, flagSetting{key.Value, value.Value, key.Line})
	}
	return list, nil
}

// inQuotes says what to do about a value that YAML takes for a tag.
const inQuotes = "want a value that begins with ! in quotes, such as where: '!limit'"

// unquoted finds values that begin with an exclamation mark, and no standard tag.
var unquoted = regexp.MustCompile(`:[ \t]+!($|[^!])`)

// beginsWithTag reports whether a node has a tag other than the standard ones. Package yaml drops that
// of "! limit", so the text decides, too.
func beginsWithTag(data []byte, n *yaml.Node) bool {
	text, lines := "", strings.Split(string(data), "\n")
	if n.Line <= len(lines) { // YAML has other ends of lines, too
		line := []rune(lines[n.Line-1])
		text = string(line[min(n.Column-1, len(line)):])
	}
	isTag := func(text string) bool { return strings.HasPrefix(text, "!") && !strings.HasPrefix(text, "!!") }
	return isTag(text) || isTag(n.Tag)
}

// parseDocument returns the root of the only document, nil if the file is empty.
func parseDocument(data []byte) (*yaml.Node, error) {
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil // empty, or comments only
	} else if err != nil && unquoted.Match(data) {
		return nil, fmt.Errorf("%w: %s", err, inQuotes)
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("want one document")
	}
	return document.Content[0], nil
}
