package program

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/encode"
)

// TestPresetsOnlySetFlags: a preset and its flags make the same bytes, and no file contains
// the name of the preset. So a preset may change without a new version.
func TestPresetsOnlySetFlags(t *testing.T) {
	for _, game := range encode.Games() {
		for _, p := range game.Presets {
			t.Run(game.Name+" "+p.Name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				run := func(name string, flags ...string) map[string]string {
					out := filepath.Join(dir, name)
					args := []string{"run", "--quiet", "--game", game.Name, "--games", "2", "--max-plies", "14", "--out", out}
					mustApart(t, append(args, flags...)...)
					return tree(t, out)
				}
				named := run("named", "--preset", p.Name)
				mustEqual(t, run("flags", strings.Fields(p.Flags)...), named)
				for name, text := range named {
					if strings.Contains(text, p.Name) {
						t.Errorf("%s contains the name of the preset", name)
					}
				}
			})
		}
	}
}

// TestFlagsOverridePresets: flags that are given keep their values, and the log lists the
// flags that the preset set.
func TestFlagsOverridePresets(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	log := func(flags string) string {
		args := "run --game contrast --games 1 --max-plies 12 --preset bulk --log-format json --out " + out + " " + flags
		o := selfplay("", strings.Fields(args)...)
		if o.code != 0 && o.code != 5 { // the first run makes the dataset, the others refuse to change it
			t.Fatalf("%s: exit code %d, stderr %s", args, o.code, o.stderr)
		}
		var line struct{ Msg, Name, Flags string }
		first, _, _ := strings.Cut(o.stderr, "\n")
		if err := json.Unmarshal([]byte(first), &line); err != nil {
			t.Fatal(err)
		}
		if line.Msg != "preset" || line.Name != "bulk" {
			t.Errorf("the log begins with %+v", line)
		}
		return " " + line.Flags + " "
	}
	for _, c := range []struct{ flags, has, hasNot string }{
		{"", " --player ab:nodes=100,hash=1,hard=2000 ", " --player-first "},
		{"--player random", " --opening-plies 4-10 ", " --player "},
		{"--player-first random", " --player-second ab:nodes=100,hash=1,hard=2000 ", " --player-first "},
		{"--player-first random --player-second greedy", " --opening-plies 4-10 ", " --player-second "},
		{"--explore-moves 0", " --explore-plies 0-20 ", " --explore-moves "},
		{"--opening-plies=", " --player ab:nodes=100,hash=1,hard=2000 ", " --opening-plies "},
	} {
		if got := log(c.flags); !strings.Contains(got, c.has) || strings.Contains(got, c.hasNot) {
			t.Errorf("%q: the preset set %q, want%sand not%s", c.flags, got, c.has, c.hasNot)
		}
	}
}

func TestPresetsCommandListsFlags(t *testing.T) {
	for _, game := range encode.Games() {
		var list []encode.Preset
		if err := json.Unmarshal([]byte(must(t, "presets", "--game", game.Name, "--json")), &list); err != nil {
			t.Fatal(err)
		}
		table := must(t, "presets", "--game", game.Name)
		if names := fmt.Sprint(presetNames(list)); names != fmt.Sprint(encode.PresetNames()) {
			t.Errorf("%s has presets %s", game.Name, names)
		}
		for _, p := range list {
			if !strings.Contains(table, p.Name) || !strings.Contains(table, p.Doc) || !strings.Contains(table, p.Flags) {
				t.Errorf("%s: the table does not show %+v", game.Name, p)
			}
		}
	}
}

func TestInvalidPresetsAreRefused(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"run --game chess --preset best --games 1 --out x", `unknown preset "best" of chess: want one of bulk, balanced, strong`},
		{"run --preset bulk --games 1 --out x", "flag --game is missing"},
		{"run --game chess --preset", "flag --preset needs a value"},
		{"run --game chess --preset bulk --player-first minimax --games 1 --out x", `unknown player "minimax"`},
		{"presets", "flag --game is missing"},
		{"presets --game chess bulk", `unexpected argument "bulk"`},
	} {
		mustRefuse(t, selfplay("", strings.Fields(c.args)...), 2, c.want)
	}
}
