package replay

import (
	"cmp"
	"fmt"
	"slices"

	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
)

// Ply is what is known of one position of a game, and of the decision in it.
type Ply struct {
	Game       uint64    `json:"game"`
	Ply        int       `json:"ply"`   // plies before the position
	Plies      int       `json:"plies"` // of the game
	Position   string    `json:"position"`
	Hash       string    `json:"hash"` // Zobrist hash, in hexadecimal
	Side       string    `json:"side"` // to move
	Check      bool      `json:"check"`
	LegalMoves int       `json:"legal_moves"`
	Array      []int     `json:"array"`    // the position by the first layout of the game, absolute
	Elements   []Values  `json:"elements"` // of the array, without the cells
	Decision   *Decision `json:"decision,omitempty"`
	Result     string    `json:"result,omitempty"` // in the last position
	Reason     string    `json:"reason,omitempty"`
}

// Values are the elements of an array with one meaning.
type Values struct {
	Name   string `json:"name"`
	Values []int  `json:"values"`
	Doc    string `json:"doc"`
}

// Decision is the move that was played and what the search found. Scores are from the view of the
// side to move.
type Decision struct {
	Move      Move     `json:"move"`
	Note      string   `json:"note"`      // how the move was chosen
	MoveRank  uint8    `json:"move_rank"` // 255 for a random move
	Random    bool     `json:"random"`
	Opening   bool     `json:"opening"` // in the random opening
	TurnStep  int      `json:"turn_step"`
	TurnSize  int      `json:"turn_size"`
	Searched  bool     `json:"searched"`
	Score     int      `json:"score,omitempty"`
	WinChance float64  `json:"win_chance,omitempty"` // by the model of the files
	Nodes     uint32   `json:"nodes,omitempty"`
	Best      *Move    `json:"best,omitempty"` // of a search
	Policy    []Choice `json:"policy,omitempty"`
	Old       *Search  `json:"old,omitempty"` // of an earlier search
}

// Search is what an earlier search found.
type Search struct {
	Best  Move   `json:"best"`
	Score int    `json:"score"`
	Nodes uint32 `json:"nodes"`
}

// Move is a move with its action number. Cells are empty where a move has none.
type Move struct {
	Action uint16 `json:"action"`
	Text   string `json:"text"`
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
	Kind   string `json:"kind"`
}

// Choice is an entry of a policy.
type Choice struct {
	Move
	Share float64 `json:"share"` // of all weights
}

// NewMove describes an action in a position.
func NewMove(g *encode.Game, pos engine.Position, action uint16) Move {
	m := Move{Action: action, Text: MoveText(g, pos, action), Kind: encode.NoAction}
	if int(action) < g.Actions.Count {
		a := g.Actions.Describe(action)
		m.From, m.To, m.Kind = a.From, a.To, a.Kind
	}
	return m
}

// At replays a record up to a position: that before ply, or the last one for the number of plies.
func At(s *rows.Shape, r *engine.Record, ply int) (*Ply, error) {
	if ply < 0 || ply > len(r.Actions) {
		return nil, fmt.Errorf("ply %d of game %d: want 0 to %d", ply, r.Game, len(r.Actions))
	}
	g, pos := &s.Game, s.Game.New(s.Variant)
	var p *Ply
	err := g.Replay(pos, r, func(at int, _ engine.Move) {
		if at == ply {
			p = newPly(g, pos, r, ply)
			p.Decision = newDecision(s, pos, r, ply)
		}
	})
	if err != nil {
		return nil, err
	}
	if ply == len(r.Actions) {
		p = newPly(g, pos, r, ply)
		p.Result, p.Reason = g.Results()[r.Outcome.Result], g.ReasonName(r.Outcome.Reason)
		return p, nil
	}
	p.Decision.TurnStep, p.Decision.TurnSize = turnOf(s, r, ply)
	return p, nil
}

func newPly(g *encode.Game, pos engine.Position, r *engine.Record, ply int) *Ply {
	l := &g.Layouts[0]
	p := &Ply{
		Game: r.Game, Ply: ply, Plies: len(r.Actions), Position: pos.String(), Hash: fmt.Sprintf("%016x", pos.Hash()),
		Side: g.Sides[pos.Turn()], Check: pos.Check(), LegalMoves: len(pos.Moves(nil)),
		Array: l.Values(nil, l.Encode(nil, pos)), Elements: []Values{}, // [] in JSON, not null: scripts walk it
	}
	at := 0
	for i, e := range l.Elements {
		if i > 0 {
			p.Elements = append(p.Elements, Values{e.Name, p.Array[at : at+e.Count], e.Doc})
		}
		at += e.Count
	}
	return p
}

func newDecision(s *rows.Shape, pos engine.Position, r *engine.Record, ply int) *Decision {
	g, step := &s.Game, newStep(&s.Game, pos, r, ply)
	d := &Decision{
		Move: NewMove(g, pos, r.Actions[ply]), Note: step.Note(s.WDL), MoveRank: step.Rank,
		Random: step.Rank == engine.RankRandom, Opening: step.Opening, Searched: step.Searched,
	}
	if step.Searched {
		best := NewMove(g, pos, r.Best[ply])
		d.Score, d.Nodes, d.Best, d.WinChance = step.Score, r.Nodes[ply], &best, WinChance(s.WDL, step.Score)
		d.Policy = policyOf(g, pos, r, ply)
	}
	if ply < len(r.OldNodes) && r.OldNodes[ply] > 0 {
		d.Old = &Search{NewMove(g, pos, r.OldBest[ply]), int(r.OldScores[ply]), r.OldNodes[ply]}
	}
	return d
}

// policyOf returns the policy of a ply, the heaviest move first.
func policyOf(g *encode.Game, pos engine.Position, r *engine.Record, ply int) (list []Choice) {
	begin := 0
	for _, n := range r.PolicySize[:ply] {
		begin += int(n)
	}
	end, all := begin+int(r.PolicySize[ply]), 0.0
	for _, w := range r.PolicyWeight[begin:end] {
		all += float64(w)
	}
	for i := begin; i < end; i++ {
		c := Choice{Move: NewMove(g, pos, r.PolicyAction[i])}
		if all > 0 {
			c.Share = float64(r.PolicyWeight[i]) / all
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b Choice) int { return cmp.Compare(b.Share, a.Share) })
	return list
}

// turnOf returns the number of a ply in its turn, from 1, and the plies of the turn.
func turnOf(s *rows.Shape, r *engine.Record, ply int) (step, size int) {
	pos := s.Game.New(s.Variant)
	var steps []Step
	_ = s.Game.Replay(pos, r, func(int, engine.Move) { steps = append(steps, Step{Side: pos.Turn()}) }) // At has replayed it
	NumberTurns(steps, 1)
	return steps[ply].TurnStep, steps[ply].TurnSize
}
