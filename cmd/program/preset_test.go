package program

import (
	"path/filepath"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/workers"
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

// TestWithoutPresetsMovesAreRandom: a game of another module may have none. The run says it.
func TestWithoutPresetsMovesAreRandom(t *testing.T) {
	game := encodetest.TicTacToe()
	game.Presets = nil
	c := workers.Catalog{Games: encode.Catalog{game}, Players: catalog.Players}
	const why = "no --player, and the game has no preset bulk"
	o := selfplayOf(c, "", "run", "--game", "tictactoe", "--games", "2", "--out", filepath.Join(t.TempDir(), "out"))
	if o.code != 0 || !strings.Contains(o.stdout, "random: "+why) || !strings.Contains(o.stderr, `why="`+why+`" name=random`) {
		t.Errorf("exit code %d, stderr %s, stdout\n%s", o.code, o.stderr, o.stdout)
	}
}
