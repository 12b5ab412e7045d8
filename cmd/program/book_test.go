package program

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/internal/must"
	"selfplay/workers"
)

// TestBooksOfChessMayBeEPD: lines become FENs. Texts of other games stay as they are.
func TestBooksOfChessMayBeEPD(t *testing.T) {
	book := must.Get(readBook(t.Context(), "../../encode/chessdata/testdata/book.epd", &workers.Series{Game: encode.Chess()}))(t)
	want := []string{
		"rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3",
		"r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 1",
	}
	if !slices.Equal(book, want) {
		t.Errorf("%q, want %q", book, want)
	}
	for _, g := range encode.Games() {
		file, start := filepath.Join(t.TempDir(), "book"), g.New("").String()
		must.Do(t, os.WriteFile(file, []byte("\n"+start+"\n"), 0o644))
		if book := must.Get(readBook(t.Context(), file, &workers.Series{Game: g}))(t); !slices.Equal(book, []string{start}) {
			t.Errorf("%s: %q", g.Name, book)
		}
	}
}
