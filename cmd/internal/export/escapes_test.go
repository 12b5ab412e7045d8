package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/encode"
)

// TestTextOfAPlanCannotControlTheTerminal: the plan, the file names and so the messages of a
// dataset may come from a stranger.
func TestTextOfAPlanCannotControlTheTerminal(t *testing.T) {
	game := encode.Games()[0]
	evil := plan.Player{Spec: "\x1b[2J\x1b]0;title\x07\r\nstate  complete\u009b31m", Version: 1}
	dir := datasetBy(t, game, &game.Layouts[0], plan.List, [2]plan.Player{evil, evil})
	if err := os.WriteFile(filepath.Join(dir, "positions", "x\x1b[2J\nok: y"), nil, 0o644); err != nil {
		t.Skip(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{
		{"info", dir}, {"stats", dir}, {"wdl", dir}, {"head", dir}, {"verify", dir}, {"repair", "--dry-run", dir},
		{"rows", "--out", out + "1", dir}, {"dedup", "--out", out + "2", dir}, {"report", "--out", out + "3", dir},
		{"info", "--json", dir}, {"stats", "--json", dir}, {"verify", "--json", dir}, {"report", "--json", dir},
	} {
		o := export(args...)
		text := o.stdout + o.stderr
		if i := strings.IndexAny(text, "\x1b\x07\r\u009b"); i >= 0 {
			t.Errorf("%s prints %q", args[0], text[i:])
		}
		if strings.Contains(text, "\nstate  complete\u009b") || strings.Contains(text, "\nok: y") {
			t.Errorf("%s prints a forged line: %s", args[0], text)
		}
	}
	if o := export("info", dir); !strings.Contains(o.stdout, `"\x1b[2J\x1b]0;title\a\r\nstate  complete\u009b31m"`) {
		t.Errorf("info does not quote the player: %s", o.stdout)
	}
}
