package ingest

import (
	"fmt"
	"slices"
	"strings"

	"selfplay/datasets/movetext"
	"selfplay/encode"
)

// Form is a format of games: one that package movetext reads.
type Form struct {
	movetext.Form
	Version int      // raised when the games of any input could change; plans store it
	Game    string   // that the files are of; "" if they may be of any game
	Exts    []string // of files in archives, with their dots
}

// Forms returns all forms. To add a form, add it here.
func Forms() []Form {
	return []Form{
		newForm("pgn", "chess in PGN, or --game cotulenh, scores from comments", "chess", ".pgn"),
		newForm("viriformat", "chess games in viriformat, with scores", "chess", ".viriformat", ".vf", ".bin"),
		newForm("binpack", "chess positions in Stockfish's binpack, with scores", "chess", ".binpack"),
		newForm("plain", "chess positions as text of Stockfish's tools, with scores", "chess", ".plain"),
		newForm("moves", "one JSON object per game, as convert --format moves writes", "", ".jsonl", ".json"),
	}
}

// version is that of the forms.
const version = 1

// newForm returns the form with a name. It panics if package movetext does not read it.
func newForm(name, doc, game string, exts ...string) Form {
	forms := movetext.ReadForms()
	f := forms[slices.IndexFunc(forms, func(f movetext.Form) bool { return f.Name == name })]
	f.Doc = doc
	return Form{Form: f, Version: version, Game: game, Exts: exts}
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
	_, err := f.NewParser(g, variant)
	return err
}
