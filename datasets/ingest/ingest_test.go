package ingest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"selfplay/datasets/movetext"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// threeGames are two good games in PGN, with a bad one between them.
const threeGames = "[White \"a\"]\n\n1. e4 e5 *\n\n[White \"b\"]\n\n1. e4 e4 *\n\n[White \"c\"]\n\n1. d4 {+0.20/3 1s} d5 2. c4 1-0\n"

// write writes a file and returns its path.
func write(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	must.Do(t, os.WriteFile(path, data, 0o644))
	return path
}

// options returns options for PGN that collect the bad games.
func options(t *testing.T, bad *[]Bad) Options {
	t.Helper()
	f := must.Get(Find("pgn"))(t)
	return Options{Form: f, Game: encode.Chess(), Dir: t.TempDir(), Bad: func(b Bad) error { *bad = append(*bad, b); return nil }}
}

// records returns all games of a source.
func records(t *testing.T, g *Games) (list []*engine.Record) {
	t.Helper()
	numbers := make([]uint64, g.Games())
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	must.Do(t, g.Play(t.Context(), numbers, nil, func(r *engine.Record) error { list = append(list, r); return nil }))
	return list
}

func mustRead(t *testing.T, paths []string, o Options) *Games {
	t.Helper()
	g := must.Get(Read(t.Context(), paths, o))(t)
	t.Cleanup(func() { g.Close() })
	return g
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	must.Get(w.Write(data))(t)
	must.Do(t, w.Close())
	return b.Bytes()
}

func zstandard(t *testing.T, data []byte) []byte {
	t.Helper()
	w := must.Get(zstd.NewWriter(nil))(t)
	half := len(data) / 2 // two frames, as parallel compressors write
	return w.EncodeAll(data[half:], w.EncodeAll(data[:half], nil))
}

// bzipped is threeGames, compressed with bzip2, which the standard library only reads.
func bzipped(t *testing.T) []byte {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/three.pgn.bz2"))(t)
	return data
}

// archive returns a tar archive of files, given as name, content, name, content.
func archive(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		must.Do(t, w.WriteHeader(&tar.Header{Name: files[i], Mode: 0o644, Size: int64(len(files[i+1]))}))
		must.Get(w.Write([]byte(files[i+1])))(t)
	}
	must.Do(t, w.Close())
	return b.Bytes()
}

// TestReadTakesGoodGamesAndNamesBadOnes: plain, compressed and in archives, also in compressed
// archives of compressed files. The name of a file says nothing.
func TestReadTakesGoodGamesAndNamesBadOnes(t *testing.T) {
	plain := []byte(threeGames)
	packed := archive(t, "notes.txt", "no game", "deep/games.pgn", threeGames, "._games.pgn", "no game")
	for _, c := range []struct {
		name, file string
		data       []byte
	}{
		{"plain", "", plain}, {"gzip", "", gzipped(t, plain)}, {"zstd", "", zstandard(t, plain)}, {"bzip2", "", bzipped(t)},
		{"tar", ":deep/games.pgn", packed}, {"tar.zst", ":deep/games.pgn", zstandard(t, packed)},
		{"tar with empty files", ":games.pgn", archive(t, "a.pgn", "", "b.pgn", "", "games.pgn", threeGames)},
		{"tar of gzip", ":games.PGN.gz", archive(t, "games.PGN.gz", string(gzipped(t, plain)))},
	} {
		var bad []Bad
		path := write(t, t.TempDir(), "input", c.data)
		g := mustRead(t, []string{path}, options(t, &bad))
		want := []Bad{{path + c.file, 2, movetext.Place{Line: 7, Column: 7}, `parse move "e4": not a legal move here`, ""}}
		if !reflect.DeepEqual(bad, want) {
			t.Errorf("%s: bad games %+v, want %+v", c.name, bad, want)
		}
		list := records(t, g)
		if len(list) != 2 || list[0].Players[0] != "a" || list[1].Players[0] != "c" || g.Plies != 5 || len(list[1].Scores) != 3 {
			t.Errorf("%s: %d games of %d plies", c.name, len(list), g.Plies)
		}
		in := g.Inputs[0]
		if in.Games != 2 || in.Bad != 1 || in.Bytes != int64(len(c.data)) || len(in.SHA256) != 64 {
			t.Errorf("%s: input %+v", c.name, in)
		}
	}
}

// TestSettingNamesTheBytes: the text that plans store, with the sum of the file as it is.
func TestSettingNamesTheBytes(t *testing.T) {
	for _, data := range [][]byte{[]byte(threeGames), gzipped(t, []byte(threeGames))} {
		var bad []Bad
		o := options(t, &bad)
		g := mustRead(t, []string{write(t, t.TempDir(), "a.pgn", data)}, o)
		want := fmt.Sprintf("import=pgn v1 %x games=2 bad=1", sha256.Sum256(data))
		if got := g.Settings(o); !slices.Equal(got, []string{want}) {
			t.Errorf("settings %q, want %q", got, want)
		}
	}
}

// TestEmptyGamesAndNotesAreCounted: by input, the notes with the first place of all.
func TestEmptyGamesAndNotesAreCounted(t *testing.T) {
	dir := t.TempDir()
	one := write(t, dir, "one.pgn", []byte("[Event \"x\"]\n\n*\n\n1. e4 {[%eval 0.2]} e5 *\n"+strings.Repeat("[Event \"x\"]\n\n0-1\n", 200)))
	two := write(t, dir, "two.pgn", []byte("1. e4 {[%eval 20]} e4 *\n1. e4 {\n[%eval 20] } e5 {[%eval x]} *\n"+strings.Repeat("1. d4 {[%eval 30]} {[%eval ?]} *\n", 200)))
	var bad []Bad
	o := options(t, &bad)
	o.WholePawns = true
	g := mustRead(t, []string{one, two}, o)
	whole, unread := g.Notes[movetext.WholeScores], g.Notes[movetext.UnreadScores]
	if whole.Count != 201 || whole.File != two || whole.Line != 2 || whole.Column != 7 || whole.Text != "[%eval 20]" || unread.Count != 201 || unread.Line != 3 || unread.Column != 17 {
		t.Errorf("%+v", g.Notes)
	}
	settings := g.Settings(o)
	if g.Games() != 202 || g.Empty() != 201 || len(bad) != 1 || !strings.HasSuffix(settings[0], " games=1 bad=0 empty=201 whole=pawns") || !strings.HasSuffix(settings[1], " games=201 bad=1 whole=pawns") {
		t.Errorf("%d games, bad %v, settings %q", g.Games(), bad, settings)
	}
}

// manyGames returns a text of n games of different lengths, every seventh of them bad.
func manyGames(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[White \"%d\"]\n\n1. Nf3", i)
		for range i % 50 {
			b.WriteString(" Nf6 Ng1 Ng8 Nf3")
		}
		if i%7 == 3 {
			b.WriteString(" Ke3")
		}
		b.WriteString(" *\n\n")
	}
	return b.String()
}

// TestOrderDoesNotDependOnProcessors: games and bad games come in the order of the files, and
// Play finds any of them.
func TestOrderDoesNotDependOnProcessors(t *testing.T) {
	const n = 1000
	dir, text := t.TempDir(), manyGames(n)
	half := strings.Index(text, "[White \"500\"]")
	paths := []string{write(t, dir, "a", []byte(text[:half])), write(t, dir, "b", []byte(text[half:]))}
	var bad []Bad
	g := mustRead(t, paths, options(t, &bad))
	list := records(t, g)
	next := 0
	for i := range n {
		if i%7 == 3 {
			continue
		}
		if list[next].Players[0] != fmt.Sprint(i) || list[next].Game != uint64(next) {
			t.Fatalf("game %d is %d of %s, want %d", next, list[next].Game, list[next].Players[0], i)
		}
		next++
	}
	if len(list) != next || len(bad) != n-next || !slices.IsSortedFunc(bad, func(a, b Bad) int {
		return strings.Compare(a.File, b.File)*10_000 + a.Game - b.Game
	}) {
		t.Errorf("%d games, want %d; %d bad ones", len(list), next, len(bad))
	}
	for _, numbers := range [][]uint64{{0}, {63, 64, 65}, {200, 500, 501}, {uint64(next - 1)}} {
		var got []uint64
		err := g.Play(t.Context(), numbers, nil, func(r *engine.Record) error {
			if !reflect.DeepEqual(r, list[r.Game]) {
				t.Errorf("game %d differs", r.Game)
			}
			got = append(got, r.Game)
			return nil
		})
		if err != nil || !slices.Equal(got, numbers) {
			t.Errorf("games %v, %v, want %v", got, err, numbers)
		}
	}
	if err := g.Play(t.Context(), []uint64{uint64(next)}, nil, func(*engine.Record) error { return nil }); err == nil {
		t.Error("a game after the last is played")
	}
}

// TestReadRefusals: inputs that cannot be read to their end give nothing.
func TestReadRefusals(t *testing.T) {
	dir, plain := t.TempDir(), []byte(threeGames)
	squeezed, squeezedGood := gzipped(t, []byte(manyGames(500))), gzipped(t, plain)
	good := write(t, dir, "good", plain)
	deep := plain
	for range maxNesting + 1 {
		deep = gzipped(t, deep)
	}
	for _, c := range []struct {
		name  string
		paths []string
		want  string
	}{
		{"missing", []string{good, filepath.Join(dir, "none")}, "no such file"},
		{"directory", []string{dir}, "it is a directory"},
		{"twice", []string{good, write(t, dir, "again", plain)}, "it has the same content as " + good},
		{"packed", []string{good, write(t, dir, "packed", squeezedGood)}, "packed: it has the same content as " + good},
		{"unpacked", []string{write(t, dir, "first", squeezedGood), good}, "good: it has the same content as " + filepath.Join(dir, "first")},
		{"in an archive", []string{good, write(t, dir, "with", archive(t, "a.pgn", threeGames))}, "with:a.pgn: it has the same content as " + good},
		{"twice in an archive", []string{write(t, dir, "both", archive(t, "a.pgn", threeGames, "b.pgn.gz", string(squeezedGood)))}, "b.pgn.gz: it has the same content as "},
		{"cut off", []string{write(t, dir, "cut", squeezed[:len(squeezed)-20])}, "cut: unpack: unexpected EOF"},
		{"checksum", []string{write(t, dir, "sum", append(slices.Clone(squeezed[:len(squeezed)-8]), 1, 2, 3, 4, 5, 6, 7, 8))}, "sum: unpack: gzip: invalid checksum"},
		{"no games in an archive", []string{write(t, dir, "tar", archive(t, "a.txt", "x"))}, "the archive has no file with the extension .pgn"},
		{"xz", []string{write(t, dir, "xz", []byte("\xfd7zXZ\x00more"))}, "xz is not read: unpack it first, with xz -dc"},
		{"binary", []string{write(t, dir, "binary", []byte{1, 0, 2})}, "binary: line 1: it has bytes of value zero"},
		{"nested", []string{write(t, dir, "nested", deep)}, "archives in archives"},
	} {
		var bad []Bad
		o := options(t, &bad)
		g, err := Read(t.Context(), c.paths, o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
		if g != nil && err == nil {
			g.Close()
		}
		if left, _ := os.ReadDir(o.Dir); len(left) > 0 {
			t.Errorf("%s: %v is left over", c.name, left)
		}
	}
}

// TestReadEndsEarly: with the error of Bad, and with its context.
func TestReadEndsEarly(t *testing.T) {
	path := write(t, t.TempDir(), "games", []byte(manyGames(1500)))
	var bad []Bad
	o := options(t, &bad)
	stop := errors.New("enough")
	o.Bad = func(Bad) error { return stop }
	must.Fail(Read(t.Context(), []string{path}, o))(t, stop, "")
	ctx, cancel := context.WithCancelCause(t.Context())
	o.Bad = func(Bad) error { cancel(stop); return nil }
	must.Fail(Read(ctx, []string{path}, o))(t, stop, "")
}

func TestFind(t *testing.T) {
	must.Fail(Find("sgf"))(t, nil, `unknown format "sgf": want one of pgn, viriformat, binpack, plain, moves`)
	f := must.Get(Find("pgn"))(t)
	must.Fail(f.Check(encode.Contrast(), ""))(t, nil, "read contrast as pgn: the game has no such notation: want moves")
}
