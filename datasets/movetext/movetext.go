// Package movetext writes and reads games as text, in PGN or in the game's own notation, and in
// viriformat. It plays every game by the rules, so it writes and reads legal moves only. A text
// contains the whole record, apart from the numbers that only rows need, best moves, nodes and
// policies. The package also reads formats of chess positions, which package tablefile writes.
//
//	movetext.go  the list of forms, and Writer
//	pgn.go       Portable Game Notation, for games that have SAN
//	line.go      JSON lines, for every game
//	viri.go      viriformat, for chess, written and read
//	read.go      Parser: games of texts
//	pgnturns.go  games whose notation writes turns
//	pgnsplit.go, pgnread.go, pgnmoves.go, pgnscore.go, pgntags.go  reading PGN
//	lines.go     lines of texts
//	notes.go     what texts have and records do not
//	lineread.go, linepolicy.go  reading JSON lines
//	positions.go reading binpack and plain, formats of chess positions; chess games that package
//	             chessdata has decoded
package movetext

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"selfplay/encode"
	"selfplay/encode/chessdata"
	"selfplay/engine"
)

// Form is a format for games.
type Form struct {
	Name string
	Ext  string // of a file, with its dot
	Doc  string // one line

	supports func(pos engine.Position) bool
	append   func(dst []byte, w *Writer, r *engine.Record) ([]byte, error) // nil if it is only read
	split    func(r io.Reader) iter.Seq2[Text, error]
	parser   func(p *Parser) func(t *Text, r *engine.Record) error
}

// Forms returns the forms that are written and read. To add a form, add it here.
func Forms() []Form {
	return []Form{
		{"pgn", ".pgn", "chess and CoTuLenh in PGN, scores as [%eval] comments", encode.HasSAN, appendPGN, splitPGN, newPGNParser},
		{"viriformat", ".viriformat", "chess games of 4 bytes per move, as trainers read them", isChess, appendViri, splitViri, newViriParser},
		{"moves", ".jsonl", "one JSON object per game, moves in the game's own notation", anyGame, appendLine, splitLines, newLineParser},
	}
}

// ReadForms returns the forms that are read: those of Forms and formats of positions.
func ReadForms() []Form {
	return append(Forms(),
		Form{"binpack", ".binpack", "chess positions in Stockfish's binpack, joined to games", isStandardChess, nil, splitBinpack, newPositionParser},
		Form{"plain", ".plain", "chess positions as text of Stockfish's tools, joined to games", isStandardChess, nil, splitPlain, newPositionParser},
	)
}

func anyGame(engine.Position) bool { return true }

// Names returns the names of the forms.
func Names() (names []string) {
	for _, f := range Forms() {
		names = append(names, f.Name)
	}
	return names
}

// Find returns the form with a name, or false.
func Find(name string) (Form, bool) {
	for _, f := range Forms() {
		if f.Name == name {
			return f, true
		}
	}
	return Form{}, false
}

// Check returns an error if the form cannot write a game. It names the forms that can.
func (f Form) Check(g encode.Game, variant string) error { return f.check("write", g, variant) }

func (f Form) check(verb string, g encode.Game, variant string) error {
	pos := g.New(variant)
	if f.supports(pos) {
		return nil
	}
	var names []string
	for _, f := range Forms() {
		if f.supports(pos) {
			names = append(names, f.Name)
		}
	}
	return fmt.Errorf("%s %s as %s: the game has no such notation: want %s", verb, g.Name, f.Name, strings.Join(names, ", "))
}

// Source says what the games are.
type Source struct {
	Game    encode.Game
	Variant string
	Event   string // title, such as that of a dataset
}

// Writer writes games in a form. It belongs to one goroutine.
type Writer struct {
	Source
	form Form
	w    io.Writer
	pos  engine.Position
	text []byte // reused by every Write

	results []string       // names, by number
	viri    chessdata.Game // its memory is reused
}

// New returns a writer to w. For errors see Check.
func (f Form) New(w io.Writer, s Source) (*Writer, error) {
	if err := f.Check(s.Game, s.Variant); err != nil {
		return nil, err
	}
	return &Writer{Source: s, form: f, w: w, pos: s.Game.New(s.Variant), results: s.Game.Results()}, nil
}

// Write writes a game. If the record breaks the rules, it returns an error and writes
// nothing.
func (w *Writer) Write(r *engine.Record) (err error) {
	if n := r.Outcome.Result; int(n) >= len(w.results) {
		return fmt.Errorf("write game %d: unknown result %d", r.Game, n)
	}
	if w.text, err = w.form.append(w.text[:0], w, r); err != nil {
		return err
	}
	_, err = w.w.Write(w.text)
	return err
}
