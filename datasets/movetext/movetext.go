// Package movetext writes games as texts that people and other programs read: in PGN
// where the game has it, or in the game's own notation, a line of JSON a game. A text
// has the whole record but the numbers that only rows need; it is made by replaying the
// game, so that no move is written that the rules do not have.
//
//	movetext.go  the list of forms
//	pgn.go       Portable Game Notation, of games that have SAN
//	line.go      JSON lines, of every game
package movetext

import (
	"fmt"
	"io"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
)

// Form is a way to write games.
type Form struct {
	Name string
	Ext  string // of a file, with its dot
	Doc  string
	// writes reports whether the form can write a game.
	writes func(pos engine.Position) bool
	append func(dst []byte, w *Writer, r *engine.Record) ([]byte, error)
}

// Forms returns all forms. The next one is added here.
func Forms() []Form {
	return []Form{
		{"pgn", ".pgn", "chess in Portable Game Notation, with scores as [%eval] comments", hasSAN, appendPGN},
		{"moves", ".jsonl", "a line of JSON a game, with its moves as selfplay moves writes them", anyGame, appendLine},
	}
}

func anyGame(engine.Position) bool { return true }

// Names returns the names of the forms.
func Names() (names []string) {
	for _, f := range Forms() {
		names = append(names, f.Name)
	}
	return names
}

// Find returns the form of this name.
func Find(name string) (Form, bool) {
	for _, f := range Forms() {
		if f.Name == name {
			return f, true
		}
	}
	return Form{}, false
}

// Source tells what games are of.
type Source struct {
	Game    encode.Game
	Variant string
	Event   string // what they were played for: a title
}

// Writer writes games in a form, one after the other. It belongs to one goroutine.
type Writer struct {
	Source
	form Form
	w    io.Writer
	pos  engine.Position
	text []byte

	results []string // by number
}

// New returns a writer, or an error if the game has no such form.
func (f Form) New(w io.Writer, s Source) (*Writer, error) {
	pos := s.Game.New(s.Variant)
	if !f.writes(pos) {
		return nil, fmt.Errorf("write %s as %s: the game has no such notation: want %s", s.Game.Name, f.Name, strings.Join(namesFor(pos), ", "))
	}
	return &Writer{Source: s, form: f, w: w, pos: pos, results: s.Game.Results()}, nil
}

func namesFor(pos engine.Position) (names []string) {
	for _, f := range Forms() {
		if f.writes(pos) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Write writes a game. A record that does not fit the rules is an error, and nothing of
// it is written.
func (w *Writer) Write(r *engine.Record) (err error) {
	if n := r.Outcome.Result; int(n) >= len(w.results) {
		return fmt.Errorf("write game %d: there is no result %d", r.Game, n)
	}
	if w.text, err = w.form.append(w.text[:0], w, r); err != nil {
		return err
	}
	_, err = w.w.Write(w.text)
	return err
}
