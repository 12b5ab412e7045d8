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
