package program

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
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

func TestPerft(t *testing.T) {
	for _, game := range encode.Games() {
		for depth := range uncheckedPlies + 1 {
			want := fmt.Sprintf("nodes %d\n", engine.Perft(game.New(""), depth))
			o := selfplay("", "perft", "--game", game.Name, "--depth", strconv.Itoa(depth))
			if o.code != 0 || o.stdout != want || o.stderr != "" {
				t.Errorf("%s, depth %d: got %+v, want %s", game.Name, depth, o, want)
			}
		}
	}
}

func TestPerftDivide(t *testing.T) {
	for _, game := range encode.Games() {
		pos := game.New("")
		o := selfplay("", "perft", "--game", game.Name, "--depth", "2", "--divide")
		lines := strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n")
		moves := pos.Moves(nil)
		if o.code != 0 || len(lines) != len(moves)+1 {
			t.Fatalf("%s: %d lines for %d moves, code %d", game.Name, len(lines), len(moves), o.code)
		}
		var last string
		var total uint64
		for _, line := range lines[:len(moves)] {
			cut := strings.LastIndexByte(line, ' ')
			m, err := pos.ParseMove(line[:cut])
			if err != nil || line[:cut] <= last {
				t.Fatalf("%s: line %q after %q: %v", game.Name, line, last, err)
			}
			last = line[:cut]
			pos.Do(m)
			nodes := engine.Perft(pos, 1)
			pos.Undo()
			if line[cut+1:] != strconv.FormatUint(nodes, 10) {
				t.Errorf("%s: got %q, want %d nodes", game.Name, line, nodes)
			}
			total += nodes
		}
		if want := fmt.Sprintf("nodes %d", total); lines[len(moves)] != want {
			t.Errorf("%s: the last line is %q, want %q", game.Name, lines[len(moves)], want)
		}
	}
}

func TestPerftIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	code := run(ctx, catalog, []string{"selfplay", "perft", "--game", "cotulenh", "--depth", "50"}, nil, &stdout, &stderr)
	if code != 3 || stdout.Len() != 0 {
		t.Errorf("code %d, stdout %q", code, stdout.String())
	}
}
