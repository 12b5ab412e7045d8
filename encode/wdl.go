package encode

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// WDL is a model of wins, draws and losses in games between equal players. A score in
// centi-units, from the view of the side to move, gives
//
//	P(win)  = 1 / (1 + exp((A - score) / B))
//	P(loss) = 1 / (1 + exp((A + score) / B))
//	P(draw) = 1 - P(win) - P(loss)
//
// A score of exactly 0 is often that of a repetition that the search has found. With DrawnAt0, P(draw)
// at 0 is that, and a win and a loss have half of the rest each. The expected result there is half a
// point with and without it.
//
// A model is in the description of a dataset and in every file of the searched games that it fits. A new
// fit is a new version and another plan.
type WDL struct {
	Version  int    `json:"version"`
	A        int    `json:"a"`                    // centi-units
	B        int    `json:"b"`                    // centi-units
	DrawnAt0 int    `json:"drawn_at_0,omitempty"` // percent; 0: as A and B say
	FittedTo string `json:"fitted_to"`
}

// SearchedGames says what the outcomes of games depend on, given the scores: how well the
// players use a lead, and whether they play until the end. Both players are ab with the same
// parameters, without exact=true.
type SearchedGames struct {
	// Variant is that of the game, "" for the default.
	Variant string

	Depth int // 0 for no limit
	Nodes int // 0 for no limit
	Temp  int
	// Network is the name of a network that ships with the program, "" for hand-written scores.
	Network string
	// Explored games have exploratory moves.
	Explored bool
	// WinScore and WinPlies are those of adjudicated wins, 0 if games are played to the end.
	WinScore, WinPlies int
}

// String describes the games in one line.
func (s SearchedGames) String() string {
	text := fmt.Sprintf("ab:depth=%d", s.Depth)
	if s.Nodes > 0 {
		text = fmt.Sprintf("ab:nodes=%d", s.Nodes)
	}
	if s.Temp > 0 {
		text += fmt.Sprintf(",temp=%d", s.Temp)
	}
	text += ",net=" + cmp.Or(s.Network, "none") + " against itself"
	if s.Variant != "" {
		text += ", variant " + s.Variant
	}
	if s.Explored {
		text += ", with exploratory moves"
	}
	if s.WinPlies > 0 {
		text += fmt.Sprintf(", wins adjudicated by %d,%d", s.WinScore, s.WinPlies)
	}
	return text
}

// Model is a fitted model and the games that it is used for. It is used for no others: a
// model of other games can be worse than none: weak players cannot convert a lead.
//
// Plies whose score is a proven end are left out of a fit. Adjudicated games count: without
// them a dataset that adjudicates has mostly draws left.
//
//	go run ./cmd/selfplay run --game GAME --player ab:depth=3,hash=1 --games N --seed 2026 --out DIR
//	go run ./cmd/selfplay run --game GAME --preset PRESET --games N --seed 2026 --out DIR
//	go run ./cmd/selfplay export wdl --adjudicated DIR
type Model struct {
	Games                   SearchedGames // that it is used for
	Version, A, B, DrawnAt0 int
}

// WDL returns the model as files hold it.
func (m *Model) WDL() *WDL {
	return &WDL{m.Version, m.A, m.B, m.DrawnAt0, m.Games.String()}
}

// ModelOf returns the model that is fitted to such games, nil if none is.
func (g *Game) ModelOf(games SearchedGames) *WDL {
	if len(g.Variants) > 0 && games.Variant == g.Variants[0] {
		games.Variant = ""
	}
	for i := range g.Models {
		if g.Models[i].Games == games {
			return g.Models[i].WDL()
		}
	}
	return nil
}

// ReferenceModel returns the model that draws chances where no other one is known: the first
// of the entry. A game without models has no scores to draw, and gets any model.
func (g *Game) ReferenceModel() *WDL {
	if len(g.Models) == 0 {
		return &WDL{A: 100, B: 200}
	}
	return g.Models[0].WDL()
}

// WDLKey is the key of a model in the metadata of files.
const WDLKey = "wdl"

// Metadata returns the file metadata about scores: the whole model with its formulas, so
// that readers do not need this program.
func (w *WDL) Metadata() KeyValue {
	atZero := ""
	if w.DrawnAt0 > 0 {
		atZero = fmt.Sprintf(`"drawn_at_0":%d,"at_0":"draw=drawn_at_0/100, win=loss=(1-draw)/2",`, w.DrawnAt0)
	}
	return KeyValue{Key: WDLKey, Value: fmt.Sprintf(`{"version":%d,"a":%d,"b":%d,`+
		`"win":"1/(1+exp((a-score)/b))","loss":"1/(1+exp((a+score)/b))","draw":"1-win-loss",%s`+
		`"fitted_to":%q}`, w.Version, w.A, w.B, atZero, w.FittedTo)}
}

// WithoutWDL returns the metadata of a file without a model.
func WithoutWDL(metadata []KeyValue) []KeyValue {
	return slices.DeleteFunc(slices.Clone(metadata), func(kv KeyValue) bool { return kv.Key == WDLKey })
}

// ReadWDL returns the model in the metadata of a file, nil if it has none.
func ReadWDL(metadata []KeyValue) *WDL {
	for _, kv := range metadata {
		var w WDL
		if kv.Key == WDLKey && json.Unmarshal([]byte(kv.Value), &w) == nil && w.B > 0 {
			return &w
		}
	}
	return nil
}
