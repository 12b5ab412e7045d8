package ingest

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"selfplay/datasets/movetext"
	"selfplay/encode"
	"selfplay/engine"
)

// Form is a format of games.
type Form struct {
	Name    string
	Version int      // raised when the games of any input could change; plans store it
	Exts    []string // of files in archives, with their dots
	Game    string   // that the files are of; "" if they may be of any game
	Doc     string   // one line

	split func(r io.Reader) iter.Seq2[movetext.Text, error]
	// parser returns a function for one goroutine that sets a record to the game of a text.
	parser func(g encode.Game, variant string) (func(t movetext.Text, r *engine.Record) error, error)
}

// Forms returns all forms. To add a form, add it here.
func Forms() []Form {
	return []Form{
		ofText("pgn", "chess", []string{".pgn"}, "chess in Portable Game Notation, scores from comments"),
		ofText("viriformat", "chess", []string{".viriformat", ".vf", ".bin"}, "chess games in viriformat, with scores"),
		ofText("binpack", "chess", []string{".binpack"}, "chess positions in Stockfish's binpack, with scores"),
		ofText("plain", "chess", []string{".plain"}, "chess positions as text of Stockfish's tools, with scores"),
		ofText("moves", "", []string{".jsonl", ".json"}, "one JSON object per game, as convert --format moves writes"),
	}
}

// ofText returns a form of package movetext.
func ofText(name, game string, exts []string, doc string) Form {
	forms := movetext.ReadForms()
	i := slices.IndexFunc(forms, func(f movetext.Form) bool { return f.Name == name })
	if i < 0 {
		panic("ingest: no form " + name)
	}
	f := forms[i]
	parser := func(g encode.Game, variant string) (func(t movetext.Text, r *engine.Record) error, error) {
		p, err := f.NewParser(g, variant)
		if err != nil {
			return nil, err
		}
		return p.Parse, nil
	}
	return Form{Name: name, Version: 1, Game: game, Exts: exts, Doc: doc, split: f.Split, parser: parser}
}

// Names returns the names of the forms.
func Names() (names []string) {
	for _, f := range Forms() {
		names = append(names, f.Name)
	}
	return names
}

// Find returns the form with a name.
func Find(name string) (Form, error) {
	for _, f := range Forms() {
		if f.Name == name {
			return f, nil
		}
	}
	return Form{}, fmt.Errorf("unknown format %q: want one of %s", name, strings.Join(Names(), ", "))
}

// Check returns an error if the form cannot hold the games.
func (f Form) Check(g encode.Game, variant string) error {
	_, err := f.parser(g, variant)
	return err
}
