package positions

import (
	"encoding/binary"
	"encoding/json"
	"slices"

	"selfplay/cmd/internal/board"
	"selfplay/encode"
	"selfplay/engine"
)

// flagPicture is a flag of a look: the answer has a drawing.
const flagPicture = 32

// sight is all that there is to say of one position, the answer to a look.
type sight struct {
	Text    string   `json:"text"`
	Side    int      `json:"side"`
	Check   bool     `json:"check"`
	Result  int      `json:"result"`           // engine.Result
	Reason  string   `json:"reason"`           // "" while the game goes on
	Actions []uint16 `json:"actions"`          // ascending; none after the end
	Moves   []string `json:"moves"`            // their texts
	Order   []int    `json:"order"`            // the place of each in the list of the game, from 0, which breaks ties in searches
	Static  *int     `json:"static,omitempty"` // hand-written score, of games that have one
	Board   []int    `json:"board"`            // of the layout with an identity
	Planes  []byte   `json:"planes"`
	Picture string   `json:"picture,omitempty"`
}

// lookHead is the length of the body of a look, without its text and its actions.
const lookHead = 8

// look answers with what one position looks like: that after some actions.
func (s *session) look() ([]byte, *refusal) {
	body := s.body
	if len(body) < lookHead {
		return nil, refuse(-1, "a look of %d bytes: want at least %d", len(body), lookHead)
	}
	flags, length := binary.LittleEndian.Uint32(body), binary.LittleEndian.Uint32(body[4:])
	body = body[lookHead:]
	if flags&flagHeld != 0 {
		return s.lookHeld(flags, length)
	}
	if flags&^(flagMover|flagPicture) != 0 || uint64(length) > uint64(len(body)) || (len(body)-int(length))%2 != 0 {
		return nil, refuse(-1, "a look with flags %d and a text of %d bytes, %d bytes in all", flags, length, len(s.body))
	}
	p, moves := s.config.Game.New(s.config.Variant), []engine.Move(nil)
	text, actions := string(body[:length]), body[length:]
	if err := engine.Begin(p, text); err != nil {
		return nil, refuse(-1, "position %q: %v", text, err)
	}
	for ply := 0; 2*ply < len(actions); ply++ {
		action := binary.LittleEndian.Uint16(actions[2*ply:])
		moves = p.Moves(moves[:0])
		m, legal := find(&s.config.Game.Actions, moves, action, flags&flagMover != 0 && p.Turn() == engine.Second)
		if !legal || p.Outcome() != engine.Ongoing {
			return nil, refuse(ply, "action %d is not legal in %s%s", action, p, ending(&s.config.Game, p))
		}
		p.Do(m)
	}
	return s.describe(p, p.Outcome(), flags).frame(), nil
}

// lookHeld answers with what a position of the batch looks like.
func (s *session) lookHeld(flags, index uint32) ([]byte, *refusal) {
	if s.batch == nil || int64(index) >= int64(len(s.batch.seats)) || flags&^(flagMover|flagHeld|flagPicture) != 0 {
		return nil, refuse(-1, "a look at position %d, flags %d: there is no such position", index, flags)
	}
	held := &s.batch.seats[index]
	end := held.pos.Outcome()
	if s.batch.over(held) {
		end = held.outcome // maybe by the ply limit, which the position does not know
	}
	return s.describe(held.pos, end, flags).frame(), nil
}

// ending says how the game has ended, for an error; nothing while it goes on.
func ending(g *encode.Game, p engine.Position) string {
	if end := p.Outcome(); end != engine.Ongoing {
		return ": the game has ended by " + g.ReasonName(end.Reason)
	}
	return ""
}

// describe describes a position whose game has an outcome.
func (s *session) describe(p engine.Position, end engine.Outcome, flags uint32) *sight {
	g := &s.config.Game
	identity := g.Identity()
	v := &sight{Text: p.String(), Side: int(p.Turn()), Check: p.Check(), Result: int(end.Result), Actions: []uint16{}, Moves: []string{}, Order: []int{}}
	v.Board = identity.Values(nil, identity.Encode(nil, p))
	v.Planes = s.layout.Encode(nil, p)
	if e, ok := p.(engine.Evaluator); ok {
		score := e.Evaluate()
		v.Static = &score
	}
	if end != engine.Ongoing {
		v.Reason = g.ReasonName(end.Reason)
	} else {
		v.list(&g.Actions, p, flags&flagMover != 0 && p.Turn() == engine.Second)
	}
	if flags&flagPicture != 0 {
		codes := v.Board[:g.Board.Files*g.Board.Ranks]
		v.Picture = board.Picture(&g.Board, board.Drawing{Label: g.Title + ": " + v.Text, Codes: codes, Titles: &g.Sides}, g.Name)
	}
	return v
}

// list lists the legal moves by their actions.
func (v *sight) list(a *encode.Actions, p engine.Position, flips bool) {
	number := func(m engine.Move) uint16 {
		if flips {
			return a.Flip(a.Number(m))
		}
		return a.Number(m)
	}
	moves := p.Moves(nil)
	for i := range moves {
		v.Order = append(v.Order, i)
	}
	slices.SortFunc(v.Order, func(x, y int) int { return int(number(moves[x])) - int(number(moves[y])) })
	for _, i := range v.Order {
		v.Actions, v.Moves = append(v.Actions, number(moves[i])), append(v.Moves, p.FormatMove(moves[i]))
	}
}

// frame returns the answer as a frame.
func (v *sight) frame() []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic("positions: " + err.Error()) // it has only numbers and texts
	}
	return append(appendHeader(nil, kindSight, len(body)), body...)
}
