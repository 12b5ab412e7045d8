package encode

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
	"selfplay/engine/chess"
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
//	go run ./cmd/selfplay wdl --adjudicated DIR
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

// The models of all games. Each is fitted to games of seed 2026: 500 to 2000, 300 of cotulenh-g10
// with 1000 and with 5000 nodes. Greedy, mcts and exact players have none.

// Leads that presets adjudicate, in centi-units, and for how many plies.
const (
	win1000  = 1000
	win1500  = 1500
	winPlies = 6
)

// Networks (package nets) of games: ab plays with them by default.
const (
	cotulenhNet = "cotulenh-g10"
	chessNet    = "chess-g9"
	contrastNet = "contrast-g7"
)

func cotulenhModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 165, B: 526, DrawnAt0: 83},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 1470, B: 1354, DrawnAt0: 74},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 378, B: 645, DrawnAt0: 70},
		{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 154, B: 535, DrawnAt0: 72},
		{Games: SearchedGames{Depth: 1, Network: cotulenhNet}, Version: 1, A: 1125, B: 802, DrawnAt0: 83},
		{Games: SearchedGames{Depth: 2, Network: cotulenhNet}, Version: 1, A: 687, B: 527, DrawnAt0: 82},
		{Games: SearchedGames{Nodes: 1000, Network: cotulenhNet}, Version: 1, A: 637, B: 543, DrawnAt0: 86},
		{Games: SearchedGames{Nodes: 60, Network: cotulenhNet, Explored: true, WinScore: win1000, WinPlies: winPlies}, Version: 1, A: 403, B: 471, DrawnAt0: 64},
		{Games: SearchedGames{Nodes: 500, Network: cotulenhNet, Explored: true, WinScore: win1500, WinPlies: winPlies}, Version: 1, A: 407, B: 436, DrawnAt0: 75},
		{Games: SearchedGames{Nodes: 5000, Network: cotulenhNet, WinScore: win1500, WinPlies: winPlies}, Version: 1, A: 895, B: 509, DrawnAt0: 92},
	}
}

func chessModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 128, B: 208, DrawnAt0: 79},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 268, B: 442, DrawnAt0: 62},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 255, B: 345, DrawnAt0: 78},
		{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 145, B: 171, DrawnAt0: 86},
		{Games: SearchedGames{Depth: 1, Network: chessNet}, Version: 1, A: 261, B: 462, DrawnAt0: 61},
		{Games: SearchedGames{Depth: 2, Network: chessNet}, Version: 1, A: 147, B: 242, DrawnAt0: 74},
		{Games: SearchedGames{Depth: 3, Network: chessNet}, Version: 1, A: 143, B: 177, DrawnAt0: 84},
		{Games: SearchedGames{Nodes: 1000, Network: chessNet}, Version: 1, A: 140, B: 159, DrawnAt0: 87},
		{Games: SearchedGames{Nodes: 80, Network: chessNet, Explored: true, WinScore: win1000, WinPlies: winPlies}, Version: 1, A: 101, B: 260, DrawnAt0: 73},
		{Games: SearchedGames{Nodes: 500, Network: chessNet, Explored: true, WinScore: win1000, WinPlies: winPlies}, Version: 1, A: 112, B: 180, DrawnAt0: 76},
		{Games: SearchedGames{Nodes: 5000, Network: chessNet, WinScore: win1000, WinPlies: winPlies}, Version: 1, A: 157, B: 123, DrawnAt0: 93},
		{Games: SearchedGames{Variant: chess.Chess960, Nodes: 80, Network: chessNet, Explored: true, WinScore: win1000, WinPlies: winPlies}, Version: 1, A: 89, B: 284, DrawnAt0: 64},
		{Games: SearchedGames{Variant: chess.Chess960, Nodes: 500, Network: chessNet, Explored: true, WinScore: win1000, WinPlies: winPlies}, Version: 1, A: 87, B: 175, DrawnAt0: 77},
		{Games: SearchedGames{Variant: chess.Chess960, Nodes: 5000, Network: chessNet, WinScore: win1000, WinPlies: winPlies}, Version: 1, A: 159, B: 142, DrawnAt0: 88},
	}
}

func contrastModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 31, B: 130, DrawnAt0: 83},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 19, B: 173, DrawnAt0: 61},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 31, B: 113, DrawnAt0: 61},
		{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 35, B: 98, DrawnAt0: 83},
		{Games: SearchedGames{Depth: 1, Network: contrastNet}, Version: 1, A: 19, B: 290, DrawnAt0: 49},
		{Games: SearchedGames{Depth: 2, Network: contrastNet}, Version: 1, A: 89, B: 219, DrawnAt0: 85},
		{Games: SearchedGames{Depth: 3, Network: contrastNet}, Version: 1, A: 65, B: 188, DrawnAt0: 82},
		{Games: SearchedGames{Nodes: 1000, Network: contrastNet}, Version: 1, A: 113, B: 127, DrawnAt0: 89},
		{Games: SearchedGames{Nodes: 75, Network: contrastNet, Explored: true}, Version: 1, A: 40, B: 284, DrawnAt0: 72},
		{Games: SearchedGames{Nodes: 500, Temp: 10, Network: contrastNet, Explored: true}, Version: 1, A: 91, B: 169, DrawnAt0: 76},
		{Games: SearchedGames{Nodes: 3000, Network: contrastNet}, Version: 1, A: 130, B: 127, DrawnAt0: 92},
	}
}

// Positions of the fingerprint of a static score, beside the samples of the game: those of random games.
// Plans depend on them.
const (
	staticSeed  = 2026
	staticGames = 4
	staticPlies = 300
)

// StaticFingerprint returns the SHA-256, in hexadecimal, of the static scores of fixed positions of a variant, "" for a
// game without a static score. Plans hold it, because what players choose depends on the scores. It is a check that the
// scores are the same, not a proof.
func (g *Game) StaticFingerprint(variant string) string {
	pos, ok := g.New(variant).(engine.Evaluator)
	if !ok {
		return ""
	}
	var scores []byte
	add := func() (ongoing bool) {
		ongoing = pos.Outcome() == engine.Ongoing
		if ongoing {
			scores = binary.LittleEndian.AppendUint16(scores, uint16(pos.Evaluate()))
		}
		return ongoing
	}
	for _, text := range g.Samples {
		if pos.Set(text) == nil { // a variant may refuse a sample
			add()
		}
	}
	for i := range uint64(staticGames) {
		pos.Reset()
		src := rand.NewPCG(staticSeed, i)
		for n := 0; n < staticPlies && add(); n++ {
			pos.DoRandom(src)
		}
	}
	sum := sha256.Sum256(scores)
	return hex.EncodeToString(sum[:])
}
