package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/engine"
)

// Description explains the numbers of a dataset: the columns of the positions table, the
// elements of the board array, the names of sides, results and reasons. plan.json holds
// it, so that a program that does not know the game can read the dataset and write its
// card. The data files hold its texts too, so its hash is part of the plan.
type Description struct {
	Title      string               // name of the game
	Sides      [2]string            // side 0, which moves first in the start position of the game, then side 1
	Results    []string             // by number; the first is "", for no result
	Reasons    []string             // by number; "" for 0 (no reason) and for reasons the game does not use
	OwnReasons []encode.NamedReason // reasons that only this game has, ascending from engine.FirstOwnReason
	Actions    int                  // number of actions
	Columns    []encode.Column      // of the positions table
	Elements   []encode.Element     // of the board array
	Metadata   []encode.KeyValue    // added to every data file, in this order
}

// The JSON of a description. It is frozen like that of the plan.
type (
	descriptionJSON struct {
		Title    string         `json:"title"`
		Sides    [2]string      `json:"sides"`
		Results  []string       `json:"results"`
		Reasons  []string       `json:"reasons"`
		Own      []reasonJSON   `json:"own_reasons,omitempty"`
		Actions  int            `json:"actions"`
		Columns  []columnJSON   `json:"columns"`
		Elements []elementJSON  `json:"elements"`
		Metadata []keyValueJSON `json:"metadata"`
	}
	columnJSON struct {
		Name string `json:"name"`
		Kind string `json:"kind"`
		Len  int    `json:"len"` // 0 for one value, -1 for a list, n for an array of n values
		Doc  string `json:"doc"`

		Label bool `json:"label,omitempty"`
	}
	elementJSON struct {
		Name  string `json:"name"`
		Count int    `json:"count"`
		Doc   string `json:"doc"`
	}
	reasonJSON struct {
		Number uint8  `json:"number"`
		Name   string `json:"name"`
	}
	keyValueJSON struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
)

// ResultName returns the name of a result, or its digits if it has none.
func (d *Description) ResultName(n uint8) string { return nameOf(d.Results, n) }

// ReasonName returns the name of a reason, or its digits if it has none.
func (d *Description) ReasonName(n uint8) string {
	for _, own := range d.OwnReasons {
		if own.Reason == engine.Reason(n) {
			return own.Name
		}
	}
	return nameOf(d.Reasons, n)
}

// nameOf returns the name of a number, or the number in digits if it has no name.
func nameOf(names []string, n uint8) string {
	if int(n) < len(names) {
		return names[n]
	}
	return strconv.Itoa(int(n))
}

// Hash returns the SHA-256 of the canonical JSON of the description, in hexadecimal.
func (d Description) Hash() string { return canonical.Hash(d.toJSON()) }

func (d Description) toJSON() descriptionJSON {
	j := descriptionJSON{Title: d.Title, Sides: d.Sides, Results: d.Results, Reasons: d.Reasons, Actions: d.Actions}
	j.Columns = columnsJSON(d.Columns)
	j.Elements = elementsJSON(d.Elements)
	j.Own = reasonsJSON(d.OwnReasons)
	for _, kv := range d.Metadata {
		j.Metadata = append(j.Metadata, keyValueJSON(kv))
	}
	return j
}

func columnsJSON(columns []encode.Column) []columnJSON {
	var j []columnJSON
	for _, c := range columns {
		j = append(j, columnJSON{c.Name, c.Kind.String(), c.Len, c.Doc, c.Label})
	}
	return j
}

func reasonsJSON(own []encode.NamedReason) []reasonJSON {
	var j []reasonJSON
	for _, r := range own {
		j = append(j, reasonJSON{uint8(r.Reason), r.Name})
	}
	return j
}

func elementsJSON(elements []encode.Element) []elementJSON {
	var j []elementJSON
	for _, e := range elements {
		j = append(j, elementJSON(e))
	}
	return j
}

func (j descriptionJSON) description() (Description, error) {
	d := Description{Title: j.Title, Sides: j.Sides, Results: j.Results, Reasons: j.Reasons, Actions: j.Actions}
	for _, c := range j.Columns {
		kind, ok := colfile.KindNamed(c.Kind)
		if !ok {
			return d, fault.Corrupt("column %s: unknown kind %q", c.Name, c.Kind)
		}
		d.Columns = append(d.Columns, encode.Column{Name: c.Name, Kind: kind, Len: c.Len, Doc: c.Doc, Label: c.Label})
	}
	for _, r := range j.Own {
		d.OwnReasons = append(d.OwnReasons, encode.NamedReason{Reason: engine.Reason(r.Number), Name: r.Name})
	}
	for _, e := range j.Elements {
		d.Elements = append(d.Elements, encode.Element(e))
	}
	for _, kv := range j.Metadata {
		d.Metadata = append(d.Metadata, encode.KeyValue(kv))
	}
	return d, colfile.CheckColumns(d.Columns)
}

// ColumnNames returns the names of columns, in order.
func ColumnNames(columns []encode.Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}

// Networks of players are files of the dataset, so that its games can be played again from
// the dataset alone. The plan names them by their SHA-256; this package does not look into
// them. They are written before the plan and never change.

// Networks of a dataset: nets/HEX.safetensors.
const (
	NetworksFolder = "nets"
	NetworkSuffix  = ".safetensors"

	maxNetworks = 16
	maxNetwork  = 64 << 20 // bytes
)

// ErrNoNetwork means that the dataset lacks a network of its plan.
var ErrNoNetwork = errors.New("network is missing")

// NetworkAdvice says what to do about a damaged network. Neither a run nor Repair makes it again.
const NetworkAdvice = "put the right file in its place, or move it away and run the command with net=FILE again"

// IsNetworkDamage reports whether an error says that the file of a network is missing or damaged. It
// then says what to do too.
func IsNetworkDamage(err error) bool {
	var file *fault.FileError
	return errors.Is(err, fault.ErrCorrupt) && errors.As(err, &file) && path.Dir(file.Path) == NetworksFolder
}

// NetworkName returns the name of the file of a network.
func NetworkName(sum string) string { return path.Join(NetworksFolder, sum+NetworkSuffix) }

// checkNetworks checks the names of networks.
func checkNetworks(networks []string) error {
	if len(networks) > maxNetworks {
		return fmt.Errorf("check plan: %d networks: want at most %d", len(networks), maxNetworks)
	}
	return checkSums("network", networks)
}

// checkSums checks a list of things that are named by hexadecimal digits of SHA-256, sorted.
func checkSums(what string, sums []string) error {
	for i, sum := range sums {
		if len(sum) != 2*sha256.Size || strings.Trim(sum, "0123456789abcdef") != "" {
			return fmt.Errorf("check plan: %s %q: want a SHA-256 in hexadecimal", what, sum)
		}
		if i > 0 && sums[i-1] >= sum {
			return fmt.Errorf("check plan: %s %s: want them sorted, each once", what, sum)
		}
	}
	return nil
}

// SumOfNetwork returns the SHA-256 of the file of a network in hexadecimal.
func SumOfNetwork(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// ReadNetwork reads the file of the network with this SHA-256 in hexadecimal. The error is
// ErrNoNetwork or fault.ErrCorrupt if there is none or another one.
func ReadNetwork(d disk.Dir, sum string) ([]byte, error) {
	name := NetworkName(sum)
	data, err := d.ReadFileUpTo(name, maxNetwork)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fault.Corrupt("%w: put the right file in its place, or run the command with net=FILE again", ErrNoNetwork)
	case err == nil && SumOfNetwork(data) != sum:
		err = fault.Corrupt("another network: its SHA-256 is %s: %s", SumOfNetwork(data), NetworkAdvice)
	}
	if err != nil {
		return nil, &fault.FileError{Op: "read", Path: name, Err: err}
	}
	return data, nil
}

// Evaluator identifies a program of the user: a model, which players name by eval=NAME, a player, own:NAME, or a UCI
// engine, uci:name=NAME. The dataset does not hold it: its games are a function of the plan and of the program.
// The fingerprint is a check that it is the same, not a proof.
type Evaluator struct {
	Name     string `json:"name"`
	Manifest string `json:"manifest"` // SHA-256 of a text that names model, layout, actions, batch and runtime; or engine and options
	// Fingerprint is the SHA-256 of the manifest's hash and of the answers to fixed positions; without the
	// answers if Approximate is set.
	Fingerprint string `json:"fingerprint"`
	// Approximate: the answer to a position depends on the others of its batch. Then the same plan need not
	// give the same bytes.
	Approximate bool `json:"approximate,omitempty"`
	// Plays: it is asked for moves, as a player.
	Plays bool `json:"plays,omitempty"`
	// Engine is what a UCI engine calls itself, empty for the others.
	Engine string `json:"engine,omitempty"`
}

// Kind returns the word for the evaluator: model, player or engine.
func (e *Evaluator) Kind() string {
	switch {
	case e.Engine != "":
		return "engine"
	case e.Plays:
		return "player"
	}
	return "model"
}

// MaxEngineName bounds the bytes of Evaluator.Engine.
const MaxEngineName = 100

// IsEvaluatorName reports whether a text may name an evaluator.
func IsEvaluatorName(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// isPlain reports whether a text can be printed on one line.
func isPlain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// maxEvaluators bounds the evaluators of a plan.
const maxEvaluators = 16

// checkEvaluators checks names and sums of evaluators: sorted by name, each once.
func checkEvaluators(list []Evaluator) error {
	if len(list) > maxEvaluators {
		return fmt.Errorf("check plan: %d evaluators: want at most %d", len(list), maxEvaluators)
	}
	for i, e := range list {
		if !IsEvaluatorName(e.Name) {
			return fmt.Errorf("check plan: evaluator %q: want a name of lower-case letters, digits and _", e.Name)
		}
		if len(e.Engine) > MaxEngineName || !isPlain(e.Engine) || e.Engine != "" && (e.Approximate || e.Plays) {
			return fmt.Errorf("check plan: engine %q: want at most %d bytes of printable text, of an engine that is not approximate and no other player", e.Engine, MaxEngineName)
		}
		if i > 0 && list[i-1].Name >= e.Name {
			return fmt.Errorf("check plan: evaluator %s: want them sorted by name, each once", e.Name)
		}
		for _, sum := range []string{e.Manifest, e.Fingerprint} {
			if len(sum) != 2*sha256.Size || strings.Trim(sum, "0123456789abcdef") != "" {
				return fmt.Errorf("check plan: evaluator %s: %q: want a SHA-256 in hexadecimal", e.Name, sum)
			}
		}
	}
	return nil
}

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
