package evaluator

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"selfplay/encode"
	"selfplay/engine/search"
)

// Protocol is the version of the protocol.
const Protocol = 1

// MaxBatch is the largest batch of an evaluator.
const MaxBatch = 1 << 14

// Hello is what the client says first: which positions it will ask about.
type Hello struct {
	Protocol       int    `json:"protocol"`
	Game           string `json:"game"`
	Variant        string `json:"variant"`
	Rules          int    `json:"rules"`
	LayoutVersion  int    `json:"layout_version"`
	ActionsVersion int    `json:"actions_version"`
	Shape          [3]int `json:"shape"` // planes, ranks, files
	Actions        int    `json:"actions"`
	Width          int    `json:"width"` // no position has more legal actions
	ValueUnits     int    `json:"value_units"`
	LogitUnits     int    `json:"logit_units"`
	Asks           string `json:"asks"`        // values or moves
	Approximate    bool   `json:"approximate"` // answers may depend on the other positions of a batch
}

// Welcome is the evaluator's answer: what it is.
type Welcome struct {
	Protocol       int    `json:"protocol"`
	Game           string `json:"game"`
	Rules          int    `json:"rules"`
	LayoutVersion  int    `json:"layout_version"`
	ActionsVersion int    `json:"actions_version"`
	ValueUnits     int    `json:"value_units"`
	LogitUnits     int    `json:"logit_units"`
	Batch          int    `json:"batch"`
	Manifest       string `json:"manifest"` // everything that the answers depend on, as text
	Runtime        string `json:"runtime"`
	Device         string `json:"device"`
}

// logitUnits is the unit of logits: hundredths, as in package search.
const logitUnits = 100

// What an evaluator is asked for.
const (
	forValues = "values" // of a model
	forMoves  = "moves"  // of a player
)

// Hello returns the first frame to whom it is asked.
func (w Asked) Hello() (h Hello, err error) {
	g := &w.Game
	h = Hello{
		Protocol: Protocol, Game: g.Name, Variant: w.Variant, Rules: g.Rules, ActionsVersion: g.Actions.Version, Actions: g.Actions.Count,
		Width: g.MostMoves, Asks: forMoves,
	}
	if w.Plays {
		return h, nil
	}
	l, err := g.Layout(encode.PlanesName)
	if err != nil {
		return h, fmt.Errorf("%s has no planes for a model: %w", g.Name, err)
	}
	h.LayoutVersion, h.Shape = l.Version, [3]int{len(l.Elements), g.Board.Ranks, g.Board.Files}
	h.Asks, h.ValueUnits, h.LogitUnits = forValues, search.ModelOne, logitUnits
	return h, nil
}

// frame returns the hello as a frame.
func (h *Hello) frame() []byte {
	body, err := json.Marshal(h)
	if err != nil {
		panic("evaluator: " + err.Error()) // it holds numbers and texts
	}
	return append(appendHeader(nil, kindHello, len(body)), body...)
}

// parseWelcome reads and checks the evaluator's answer to h.
func (h *Hello) parseWelcome(body []byte) (w Welcome, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	if err := d.Decode(&w); err != nil {
		return w, fmt.Errorf("read hello: %w", err)
	}
	for _, c := range []struct {
		what      string
		want, has string
	}{
		{"protocol version", strconv.Itoa(h.Protocol), strconv.Itoa(w.Protocol)},
		{"game", h.Game, w.Game},
		{"rules version", strconv.Itoa(h.Rules), strconv.Itoa(w.Rules)},
		{"version of the planes", strconv.Itoa(h.LayoutVersion), strconv.Itoa(w.LayoutVersion)},
		{"version of the actions", strconv.Itoa(h.ActionsVersion), strconv.Itoa(w.ActionsVersion)},
		{"value units", strconv.Itoa(h.ValueUnits), strconv.Itoa(w.ValueUnits)},
		{"logit units", strconv.Itoa(h.LogitUnits), strconv.Itoa(w.LogitUnits)},
	} {
		if c.want != c.has {
			return w, fmt.Errorf("its model is for %s %q, but this is %q", c.what, c.has, c.want)
		}
	}
	if w.Batch < 1 || w.Batch > MaxBatch {
		return w, fmt.Errorf("batch %d: want 1 to %d", w.Batch, MaxBatch)
	}
	if w.Manifest == "" {
		return w, fmt.Errorf("it has no manifest: want a text that names the model")
	}
	w.Runtime, w.Device = plain(w.Runtime), plain(w.Device)
	return w, nil
}

// ManifestHash returns the SHA-256 of the manifest in hexadecimal.
func (w Welcome) ManifestHash() string {
	sum := sha256.Sum256([]byte(w.Manifest))
	return hex.EncodeToString(sum[:])
}

// unprintable matches what must not reach a terminal.
var unprintable = regexp.MustCompile(`[^ -~]+`)

// plain returns a text of an evaluator as one line.
func plain(text string) string {
	const longest = 300
	text = unprintable.ReplaceAllString(text, " ")
	return text[:min(len(text), longest)]
}
