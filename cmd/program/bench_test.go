package program

import (
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/internal/must"
)

func TestBench(t *testing.T) {
	for _, game := range encode.Games() {
		var prints []string
		for _, seconds := range []string{"0.01", "0.02"} {
			o := selfplay("", "bench", "--game", game.Name, "--seconds", seconds, "--json")
			if o.code != 0 || o.stderr != "" || strings.Count(o.stdout, "\n") != 1 {
				t.Fatalf("%+v", o)
			}
			var f figures
			read(t, o.stdout, &f)
			for name, v := range map[string]float64{
				"plies": f.PliesPerS, "lists": f.ListsPerS, "perft": f.PerftNodesPerS, "list rows": f.RowsPerSList,
				"packed rows": f.RowsPerSPacked, "list bytes": f.BytesPerRowList, "packed bytes": f.BytesPerRowPack,
			} {
				if !(v > 0) {
					t.Errorf("%s: figure %s is %v", game.Name, name, v)
				}
			}
			prints = append(prints, f.Fingerprint)
		}
		if len(prints[0]) != 16 || prints[0] != prints[1] {
			t.Errorf("%s: the fingerprint depends on the time: %q", game.Name, prints)
		}
	}
}

// TestFingerprintIncludesSearchResults: two builds that play the same moves but search
// differently have different fingerprints.
func TestFingerprintIncludesSearchResults(t *testing.T) {
	print := func(player string) string {
		j := jobOf(t, "--game contrast --games 1 --max-plies 12 --player "+player)
		text := must.Get(fingerprint(t.Context(), j.series))(t)
		return text
	}
	if one, four := print("ab:depth=1"), print("ab:depth=1,multi=4"); one == four {
		t.Errorf("with and without a policy: %s", one)
	}
}
