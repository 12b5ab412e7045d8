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
	min, max  int64                                          // of a number
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

// look is a decision that is looked at. The replayer is at its position for words ofPosition.
type look struct {
	*Replayer
	rec *engine.Record
	ply int
}

// whereWords lists the words in the order in which plans write them. Names are stored in plans: never
// rename one or change its meaning. A word has the name of a column of files, of a parameter of the
// pages or of a condition of --skip if it means the same.
var whereWords = slices.Concat([]word{
	{name: "game", doc: "number of the game in the dataset", kind: numberWord, max: math.MaxInt64,
		value: func(l *look) (int64, bool, error) { return int64(l.rec.Game), true, nil }},
	{name: "result", doc: "the side that won, draw, or none for a game that was cut off", kind: nameWord,
		names: resultWords,
		value: func(l *look) (int64, bool, error) { return int64(l.rec.Outcome.Result), true, nil }},
	{name: "reason", doc: "how the game ended", kind: nameWord,
		names: (*Game).AllReasonNames,
		value: func(l *look) (int64, bool, error) {
			i := slices.Index(l.game.AllReasons(), l.rec.Outcome.Reason)
			return int64(i), i >= 0, nil
		}},
	{name: "player", doc: "player of either side, as in the table of games", kind: textWord,
		texts: func(rec *engine.Record) []string { return rec.Players[:] }},
	{name: "player_first", doc: "player of side 0", kind: textWord,
		texts: func(rec *engine.Record) []string { return rec.Players[:1] }},
	{name: "player_second", doc: "player of side 1", kind: textWord,
		texts: func(rec *engine.Record) []string { return rec.Players[1:] }},
	{name: "plies", doc: "decisions of the whole game", kind: numberWord, max: math.MaxUint16,
		value: func(l *look) (int64, bool, error) { return int64(len(l.rec.Actions)), true, nil }},
	{name: "drop", doc: "largest loss of expected result from a ply of the game to the next, in 10,000ths; not in `rows` and `run`", kind: numberWord, max: expectedWin,
		value: (*look).drop},

	{name: "ply", doc: "number of earlier decisions in the game", kind: numberWord, scope: ofDecision, max: math.MaxUint16,
		value: func(l *look) (int64, bool, error) { return int64(l.ply), true, nil }},
	{name: "plies_left", doc: "decisions from this one to the end of the game, including this one", kind: numberWord, scope: ofDecision, max: math.MaxUint16,
		value: func(l *look) (int64, bool, error) { return int64(len(l.rec.Actions) - l.ply), true, nil }},
	{name: "phase", doc: "third of the game that was played", kind: nameWord, scope: ofDecision,
		names: func(*Game) []string { return Phases() },
		value: func(l *look) (int64, bool, error) {
			return int64(Phase(uint16(l.ply), uint16(len(l.rec.Actions)-l.ply))), true, nil
		}},
	{name: "move_rank", doc: "rank of the move that was played: 0 the best, 255 a random move", kind: numberWord, scope: ofDecision, max: int64(engine.RankRandom),
		value: func(l *look) (int64, bool, error) { return int64(l.rec.MoveRanks[l.ply]), true, nil }},
	{name: "score", doc: "root score, as in the column: from the view of the side to move", kind: numberWord, scope: ofDecision, min: math.MinInt16, max: math.MaxInt16,
		value: (*look).score},
	{name: "abs_score", doc: "the same without its sign: what `score>N` of `--skip` compares", kind: numberWord, scope: ofDecision, max: math.MaxInt16,
		value: func(l *look) (int64, bool, error) { v, known, err := l.score(); return max(v, -v), known, err }},
	{name: "nodes", doc: "nodes searched for the decision, 0 without a search", kind: numberWord, scope: ofDecision, max: math.MaxUint32,
		value: func(l *look) (int64, bool, error) {
			if len(l.rec.Nodes) == 0 {
				return 0, true, nil
			}
			return int64(l.rec.Nodes[l.ply]), true, nil
		}},

	{name: "side", doc: "the side to move", kind: nameWord, scope: ofPosition,
		names: func(g *Game) []string { return g.Sides[:] },
		value: func(l *look) (int64, bool, error) { return int64(l.pos.Turn()), true, nil }},
	{name: "outcome", doc: "end of the game, from the view of the side to move: won, lost, or drawn (also cut off)", kind: nameWord, scope: ofPosition,
		names: func(*Game) []string { return []string{"lost", "drawn", "won"} },
		value: func(l *look) (int64, bool, error) { return int64(l.rec.Outcome.For(l.pos.Turn()) + 1), true, nil }},
	{name: "material", doc: "the pieces on the board by their letters, first those of side 0; every member of a stack counts", kind: materialWord, scope: ofPosition},
	{name: "pieces", doc: "number of pieces of both sides together on the board", kind: numberWord, scope: ofPosition, max: math.MaxUint8,
		value: func(l *look) (int64, bool, error) { return int64(l.countPieces()), true, nil }},
	{name: "legal", doc: "number of legal moves", kind: numberWord, scope: ofPosition, max: math.MaxUint16,
		value: func(l *look) (int64, bool, error) { return int64(l.countLegal()), true, nil }},
}, flagWords())

// flagWords returns the conditions of --skip that have no number.
func flagWords() (list []word) {
	for i := range conditionKinds {
		k := &conditionKinds[i]
		if k.max > 0 {
			continue
		}
		s := ofPosition
		if k.holds != nil {
			s = ofDecision
		}
		list = append(list, word{name: k.name, doc: k.doc, kind: flagWord, scope: s, value: func(l *look) (int64, bool, error) {
			holds, err := (&Condition{kind: k}).holds(l.Replayer, l.rec, l.ply)
			if holds {
				return 1, true, err
			}
			return 0, true, err
		}})
	}
	return list
}

// resultWords returns the names of results, indexed by engine.Result.
func resultWords(g *Game) []string {
	names := g.Results()
	names[engine.NoResult] = "none"
	return names
}

// score returns the root score of a searched decision.
func (l *look) score() (v int64, known bool, err error) {
	if !searched(l.rec, l.ply) {
		return 0, false, nil
	}
	return int64(l.rec.Scores[l.ply]), true, nil
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
