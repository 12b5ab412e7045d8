package encode

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplay/engine"
)

// word is what a condition of Where is about.
type word struct {
	name, doc string
	kind      wordKind
	scope     scope
	columns   []string                                       // of rows, which say the value too; nil: none do
	min, max  int64                                          // of a number
	lacks     func(g *Game) string                           // why a game does not have the word, "" if it has; nil: all have it
	names     func(g *Game) []string                         // of a name: what its value indexes
	value     func(l *look) (v int64, known bool, err error) // of a number, a name or a flag
	texts     func(rec *engine.Record) []string              // of a text: one has to fit
}

// wordKind is the kind of values of a word.
type wordKind uint8

const (
	flagWord wordKind = iota
	numberWord
	nameWord
	textWord
	materialWord
)

// scope says what a value needs. Conditions on games are evaluated first, because they cost least.
type scope uint8

const (
	ofGame     scope = iota // the record
	ofDecision              // the record and the ply
	ofPosition              // the position, and so a replay of the game
)

// look is a decision that is looked at: by its record, or by columns of its row. The replayer is at its position
// for words ofPosition.
type look struct {
	*Replayer // nil for a row
	rec       *engine.Record
	game      *Game
	reasons   []engine.Reason // of the game
	facts
}

// facts are what both a record and columns of a row say of a decision. Of a row they have what its columns say.
type facts struct {
	number          uint64 // of the game
	result          engine.Result
	reason          engine.Reason
	ply, left       uint16
	rank            uint8
	searched, rated bool
	rootScore       int16
	nodes           uint32
	side            engine.Side // like outcome, of a record for words ofPosition only
	outcome         int8
	legal           int // of a row only: see look.countLegal
}

// plies returns the number of decisions of the game.
func (f *facts) plies() int { return int(f.ply) + int(f.left) }

// ofRecord sets the facts of the game of a record.
func (f *facts) ofRecord(rec *engine.Record) {
	*f = facts{number: rec.Game, result: rec.Outcome.Result, reason: rec.Outcome.Reason, left: uint16(len(rec.Actions))}
}

// atPly sets the facts of a decision of the record.
func (f *facts) atPly(rec *engine.Record, ply int) {
	f.ply, f.left, f.rank = uint16(ply), uint16(len(rec.Actions)-ply), rec.MoveRanks[ply]
	f.searched, f.rated, f.rootScore, f.nodes = searched(rec, ply), rated(rec, ply), 0, 0
	if len(rec.Nodes) > 0 {
		f.rootScore, f.nodes = rec.Scores[ply], rec.Nodes[ply]
	}
}

// whereWords lists the words in the order in which plans write them and decisions are counted, those
// of a scope together. Names are stored in plans: never rename one or change its meaning. A word has
// the name of a column of files or of a parameter of the pages if it means the same.
var whereWords = []word{
	{name: "game", doc: "number of the game in the dataset", kind: numberWord, max: math.MaxInt64,
		columns: []string{GameColumn},
		value:   func(l *look) (int64, bool, error) { return int64(l.number), true, nil }},
	{name: "result", doc: "the side that won, draw, or none for a game that was cut off", kind: nameWord,
		names: resultWords, columns: []string{SideColumn, OutcomeColumn, reasonName},
		value: func(l *look) (int64, bool, error) { return int64(l.result), true, nil }},
	{name: "reason", doc: "how the game ended", kind: nameWord,
		names: (*Game).AllReasonNames, columns: []string{reasonName},
		value: func(l *look) (int64, bool, error) {
			i := slices.Index(l.reasons, l.reason)
			return int64(i), i >= 0, nil
		}},
	{name: "limit", doc: "the game was cut off by the ply limit", columns: []string{reasonName},
		value: flag(func(l *look) bool { return l.reason == engine.PlyLimit })},
	{name: "player", doc: "player of either side, as in the table of games", kind: textWord,
		texts: func(rec *engine.Record) []string { return rec.Players[:] }},
	{name: "player_first", doc: "player of side 0", kind: textWord,
		texts: func(rec *engine.Record) []string { return rec.Players[:1] }},
	{name: "player_second", doc: "player of side 1", kind: textWord,
		texts: func(rec *engine.Record) []string { return rec.Players[1:] }},
	{name: "plies", doc: "decisions of the whole game", kind: numberWord, max: math.MaxUint16,
		columns: []string{PlyColumn, pliesLeftName},
		value:   func(l *look) (int64, bool, error) { return int64(l.plies()), true, nil }},
	{name: "drop", doc: "largest loss of expected result from a ply of the game to the next, or to a result by the last move, in 10,000ths; not in `run`, `rows` and `import`",
		kind: numberWord, max: expectedWin, value: (*look).drop},
	{name: "lead_first", doc: "largest lead of side 0, the final position included; 0 if it never leads", kind: numberWord, max: maxLead,
		lacks: (*Game).LacksMaterial, value: func(l *look) (int64, bool, error) { return l.largestLead(engine.First) }},
	{name: "lead_second", doc: "the same of side 1", kind: numberWord, max: maxLead,
		lacks: (*Game).LacksMaterial, value: func(l *look) (int64, bool, error) { return l.largestLead(engine.Second) }},

	{name: "ply", doc: "number of earlier decisions in the game", kind: numberWord, scope: ofDecision, max: math.MaxUint16,
		columns: []string{PlyColumn},
		value:   func(l *look) (int64, bool, error) { return int64(l.ply), true, nil }},
	{name: "plies_left", doc: "decisions from this one to the end of the game, including this one", kind: numberWord, scope: ofDecision, max: math.MaxUint16,
		columns: []string{pliesLeftName},
		value:   func(l *look) (int64, bool, error) { return int64(l.left), true, nil }},
	{name: "phase", doc: "third of the game that was played", kind: nameWord, scope: ofDecision,
		names: func(*Game) []string { return Phases() }, columns: []string{PlyColumn, pliesLeftName},
		value: func(l *look) (int64, bool, error) { return int64(Phase(l.ply, l.left)), true, nil }},
	{name: "move_rank", doc: "rank of the move that was played: 0 the best, 255 a random move", kind: numberWord, scope: ofDecision, max: int64(engine.RankRandom),
		columns: []string{moveRankName},
		value:   func(l *look) (int64, bool, error) { return int64(l.rank), true, nil }},
	{name: "random", doc: "the move was random: its rank is 255", scope: ofDecision, columns: []string{moveRankName},
		value: flag(func(l *look) bool { return l.rank == engine.RankRandom })},
	{name: "unsearched", doc: "the position was not searched", scope: ofDecision, columns: []string{SearchedColumn},
		value: flag(func(l *look) bool { return !l.searched })},
	{name: "cheap", doc: "the search rated no moves: a cheap one of playout cap randomisation, or of a player that records no policy", scope: ofDecision, columns: []string{SearchedColumn, FullSearchColumn},
		value: flag(func(l *look) bool { return l.searched && !l.rated })},
	{name: "score", doc: "root score, as in the column: from the view of the side to move", kind: numberWord, scope: ofDecision, min: math.MinInt16, max: math.MaxInt16,
		columns: scoreColumns, value: (*look).score},
	{name: "abs_score", doc: "the same without its sign", kind: numberWord, scope: ofDecision, max: math.MaxInt16,
		columns: scoreColumns,
		value:   func(l *look) (int64, bool, error) { v, known, err := l.score(); return max(v, -v), known, err }},
	{name: "mate", doc: "the root score is beyond 20,000 or -20,000: the search proved the end of the game", scope: ofDecision, columns: scoreColumns,
		value: flag(func(l *look) bool { v, _, _ := l.score(); return max(v, -v) > engine.MaxStatic })},
	{name: "nodes", doc: "nodes searched for the decision, 0 without a search", kind: numberWord, scope: ofDecision, max: math.MaxUint32,
		columns: []string{nodesName},
		value:   func(l *look) (int64, bool, error) { return int64(l.nodes), true, nil }},

	{name: "side", doc: "the side to move", kind: nameWord, scope: ofPosition,
		names:   func(g *Game) []string { return g.Sides[:] },
		columns: []string{SideColumn},
		value:   func(l *look) (int64, bool, error) { return int64(l.side), true, nil }},
	{name: "outcome", doc: "end of the game, from the view of the side to move: won, lost, or drawn (also cut off)", kind: nameWord, scope: ofPosition,
		names:   func(*Game) []string { return []string{"lost", "drawn", "won"} },
		columns: []string{OutcomeColumn},
		value:   func(l *look) (int64, bool, error) { return int64(l.outcome + 1), true, nil }},
	{name: "unlikely", doc: "`abs_score` if the game ended against it: the side that the score favours did not win; else 0. Unknown if the game was cut off", kind: numberWord, scope: ofPosition, max: math.MaxInt16,
		columns: append([]string{OutcomeColumn, reasonName}, scoreColumns...),
		value:   (*look).unlikely},
	{name: "material", doc: "the pieces on the board by their letters, first those of side 0; every member of a stack counts", kind: materialWord, scope: ofPosition},
	{name: "pieces", doc: "number of pieces of both sides together on the board", kind: numberWord, scope: ofPosition, max: math.MaxUint8,
		value: func(l *look) (int64, bool, error) { return int64(l.material.Of(l.pos).Pieces()), true, nil }},
	{name: "lead", doc: "material of the side to move less that of the other, by the values below", kind: numberWord, scope: ofPosition, min: -maxLead, max: maxLead,
		lacks: (*Game).LacksMaterial,
		value: func(l *look) (int64, bool, error) { return int64(l.material.Of(l.pos).Lead(l.pos.Turn())), true, nil }},
	{name: "legal", doc: "number of legal moves", kind: numberWord, scope: ofPosition, max: math.MaxUint16,
		columns: []string{legalName},
		value:   func(l *look) (int64, bool, error) { return int64(l.countLegal()), true, nil }},
	{name: "only", doc: "the position has one legal move", scope: ofPosition, columns: []string{legalName},
		value: flag(func(l *look) bool { return l.countLegal() == 1 })},
	{name: "check", doc: "the side to move is in check; never in games without check", scope: ofPosition,
		value: flag(func(l *look) bool { return l.pos.Check() })},
	{name: "capture", doc: "the best move captures (without a search, the move that was played); never in games without captures", scope: ofPosition,
		value: (*look).capture},
}

// scoreColumns are those of a root score.
var scoreColumns = []string{SearchedColumn, ScoreColumn}

// maxLead bounds leads: more than the material that fits on a board.
const maxLead = 1_000_000

// LacksMaterial says why a game has no leads in material, "" if it has.
func (g *Game) LacksMaterial() string {
	if g.Board.HasMaterial() {
		return ""
	}
	return g.Title + " has no material: none of its pieces has a value"
}

// flag returns the value of a word that holds or not.
func flag(holds func(l *look) bool) func(l *look) (int64, bool, error) {
	return func(l *look) (int64, bool, error) { return number(holds(l)), true, nil }
}

// number returns the value of a flag.
func number(holds bool) int64 {
	if holds {
		return 1
	}
	return 0
}

// searched reports whether a decision of a record was searched.
func searched(rec *engine.Record, ply int) bool {
	return len(rec.Nodes) > 0 && rec.Nodes[ply] != 0
}

// rated reports whether a decision of a record has a policy.
func rated(rec *engine.Record, ply int) bool {
	return len(rec.PolicySize) > 0 && rec.PolicySize[ply] != 0
}

// resultWords returns the names of results, indexed by engine.Result.
func resultWords(g *Game) []string {
	names := g.Results()
	names[engine.NoResult] = "none"
	return names
}

// score returns the root score of a searched decision.
func (l *look) score() (v int64, known bool, err error) {
	if !l.searched {
		return 0, false, nil
	}
	return int64(l.rootScore), true, nil
}

// unlikely returns how far the score and the result of the game disagree.
func (l *look) unlikely() (v int64, known bool, err error) {
	score, known, err := l.score()
	if !known || err != nil || l.reason == engine.PlyLimit {
		return 0, false, err
	}
	if score > 0 && l.outcome <= 0 || score < 0 && l.outcome >= 0 {
		return max(score, -score), true, nil
	}
	return 0, true, nil
}

// countLegal returns the number of legal moves.
func (l *look) countLegal() int {
	if l.Replayer == nil {
		return l.legal
	}
	return l.Replayer.countLegal()
}

// capture reports whether the best move is a capture.
func (l *look) capture() (v int64, known bool, err error) {
	if l.game.Actions.IsCapture == nil {
		return 0, true, nil
	}
	action := l.rec.Actions[l.ply]
	if l.searched {
		action = l.rec.Best[l.ply]
	}
	m, err := l.game.Actions.Move(l.pos, action)
	if err != nil {
		return 0, false, fmt.Errorf("best move: %w", err)
	}
	return number(l.game.Actions.IsCapture(l.pos, m)), true, nil
}

// largestLead returns the largest lead of a side in the game.
func (l *look) largestLead(side engine.Side) (v int64, known bool, err error) {
	var leads [2]int
	err = l.game.Replay(l.pos, l.rec, func(int, engine.Move) { l.material.Of(l.pos).Raise(&leads) })
	if err != nil {
		return 0, false, err
	}
	l.material.Of(l.pos).Raise(&leads)
	return int64(leads[side]), true, nil
}

// drop returns the largest drop of the game.
func (l *look) drop() (v int64, known bool, err error) {
	if len(l.rec.Nodes) == 0 {
		return 0, false, nil
	}
	l.turns = l.turns[:0]
	err = l.game.Replay(l.pos, l.rec, func(int, engine.Move) { l.turns = append(l.turns, l.pos.Turn()) })
	if err != nil {
		return 0, false, err
	}
	drop, _, known := l.view.Filter.Where.drops.LargestDrop(l.rec, l.turns)
	return int64(drop), known, nil
}

func wordIndex(name string) int {
	return slices.IndexFunc(whereWords, func(w word) bool { return w.name == name })
}

// WhereWords returns the words of Where, in order.
func WhereWords() (names []string) {
	for i := range whereWords {
		names = append(names, whereWords[i].name)
	}
	return names
}

// WhereWords returns the words of Where that the game has, in order.
func (g *Game) WhereWords() (names []string) {
	for i := range whereWords {
		if w := &whereWords[i]; w.lacks == nil || w.lacks(g) == "" {
			names = append(names, w.name)
		}
	}
	return names
}

// WhereTable returns a Markdown table of the words of Where.
func WhereTable() string {
	var b strings.Builder
	b.WriteString("| word | of | values | meaning |\n|---|---|---|---|\n")
	for i := range whereWords {
		w := &whereWords[i]
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", w.name, [...]string{"game", "row", "row"}[w.scope], TableCell(w.values()), TableCell(w.doc))
	}
	return b.String()
}

// WorthTable returns a Markdown table of what pieces count in the material of their side.
func (c Catalog) WorthTable() string {
	var b strings.Builder
	b.WriteString("| game | pieces |\n|---|---|\n")
	for i := range c {
		var list []string
		for _, k := range c[i].Board.Kinds {
			text := fmt.Sprint(k.Name, " ", k.Worth)
			if k.RingWorth != 0 {
				text += fmt.Sprintf(" (%s %d)", c[i].Board.Ring, k.RingWorth)
			}
			list = append(list, text)
		}
		if c[i].Board.HasMaterial() {
			fmt.Fprintf(&b, "| %s | %s |\n", c[i].Name, strings.Join(list, ", "))
		}
	}
	return b.String()
}

// values describes the values of a word.
func (w *word) values() string {
	switch {
	case w.kind == flagWord:
		return "none"
	case w.kind == numberWord && w.min < 0:
		return "number"
	case w.kind == numberWord:
		return "number or range"
	case w.kind == textWord:
		return "text"
	case w.kind == materialWord:
		return "such as `KRPvKR`"
	case w.name == "phase" || w.name == "outcome":
		return "`" + strings.Join(w.names(nil), "`, `") + "`"
	}
	return "name, as in `selfplay games`"
}
