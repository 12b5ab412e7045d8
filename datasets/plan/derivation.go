package plan

import (
	"slices"
	"strings"
)

// ImportPart begins a setting in Plan.Play that names an imported file: its format and the
// version of the reader, the SHA-256 of the file, how many of its games were taken, were bad, and
// were empty, and how numbers were read if the user said so. Plans store the text: never change it.
const ImportPart = "import="

// ImportedPlayer is the player of both sides in the plan of imported games. The records name
// the players of each game.
const ImportedPlayer = "imported"

// Imported returns the settings of imported files, without their prefix; nil if the games were
// not imported.
func (p Plan) Imported() (files []string) {
	for _, text := range p.Play {
		if file, ok := strings.CutPrefix(text, ImportPart); ok {
			files = append(files, file)
		}
	}
	return files
}

// HasImportedGames reports whether the games were imported, here or into datasets that were joined.
func (p Plan) HasImportedGames() bool {
	return p.Imported() != nil || p.Players[0].Spec == ImportedPlayer
}

// FromPart begins a setting in Plan.Play that names a dataset which the games come from: the hash of its plan and
// the number of its games. Plans store the text: never change it.
const FromPart = "from="

// Joined reports whether the games are those of other datasets, with the scores that they had there.
func (p Plan) Joined() bool {
	return p.Rescored() == "" && slices.ContainsFunc(p.Play, func(text string) bool { return strings.HasPrefix(text, FromPart) })
}

// RescorePart begins a setting in Plan.Play that names the player whose searches replaced those
// of the games, its version, and which decisions it searched. Plans store the text: never
// change it.
const RescorePart = "rescore="

// Rescored returns the setting of a rescored dataset, without its prefix; "" if the scores are
// those of the players.
func (p Plan) Rescored() string {
	for _, text := range p.Play {
		if setting, ok := strings.CutPrefix(text, RescorePart); ok {
			return setting
		}
	}
	return ""
}
