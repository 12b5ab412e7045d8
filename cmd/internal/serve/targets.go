package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"selfplay/cmd/internal/ask"
	"selfplay/cmd/internal/board"
	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/encode"
	"selfplay/engine"
)

// teacher says where the pieces of a position may go, and why not elsewhere.
type teacher struct{ games encode.Catalog }

func (t teacher) routes() []route {
	return []route{{pattern: "POST /api/targets", handle: t.post, failed: refuse}}
}

func (t teacher) post(w http.ResponseWriter, r *http.Request) error {
	var q targetsRequest
	err := readBody(w, r, &q)
	if err != nil {
		return err
	}
	l, err := t.prepare(&q)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, l.answer())
}

// targetsRequest asks about the pieces on a cell: where they may go, and, with a cell to go to, why they
// may not go there.
type targetsRequest struct {
	Game    string   `json:"game"`
	Variant string   `json:"variant"`
	Play    []string `json:"play"`
	ask.Position
	From  string     `json:"from"`  // "" for moves that leave no cell
	Piece *string    `json:"piece"` // as in engine.Wish; nil for any
	To    string     `json:"to"`
	Way   engine.Way `json:"way"`
	Tile  string     `json:"tile"` // as in engine.Wish
}

// maxTargetsPlay is the most moves of a request: more than the address of a page has.
const maxTargetsPlay = 1000

// lesson is a checked request.
type lesson struct {
	*targetsRequest
	game    encode.Game
	pos     engine.Position
	arbiter engine.Arbiter // pos, or nil if its game gives no reasons
	outcome engine.Outcome
	code    int // what stands on the cell
}

// prepare checks a request and sets up its position.
func (t teacher) prepare(q *targetsRequest) (*lesson, error) {
	game, err := t.games.Find(q.Game)
	if err != nil {
		return nil, invalid(err)
	}
	err = q.check(&game)
	if err != nil {
		return nil, err
	}
	l := &lesson{targetsRequest: q, game: game, pos: game.New(q.Variant)}
	err = q.Set(l.pos, &game, false)
	if err != nil {
		return nil, invalid(err)
	}
	err = playOn(l.pos, q.Play)
	if err != nil {
		return nil, err
	}
	cell, onBoard := game.Board.Cell(q.From)
	if onBoard {
		l.code = replay.Cells(&game, l.pos)[cell]
	}
	l.arbiter, _ = l.pos.(engine.Arbiter)
	l.outcome = l.pos.Outcome()
	return l, nil
}

// check returns an error for what no position allows.
func (q *targetsRequest) check(game *encode.Game) error {
	switch {
	case !game.HasVariant(q.Variant):
		return invalid(fmt.Errorf("unknown variant %q of %s", q.Variant, game.Name))
	case len(q.Play) > maxTargetsPlay:
		return catalog.BadRequest("play has %d moves: want at most %d", len(q.Play), maxTargetsPlay)
	case !q.Way.Known():
		return catalog.BadRequest("way %.40q: want one of %q", q.Way, engine.Ways())
	}
	for _, name := range []string{q.From, q.To} {
		_, onBoard := game.Board.Cell(name)
		if name != "" && !onBoard {
			return catalog.BadRequest("cell %.40q: want a name on the board, such as %s", name, game.Board.Name(0))
		}
	}
	return nil
}

// targetsAnswer says what the pieces on a cell may do.
type targetsAnswer struct {
	Game     string         `json:"game"`
	Position string         `json:"position"`
	Side     string         `json:"side"`
	Result   string         `json:"result,omitempty"`
	Reason   string         `json:"reason,omitempty"`
	Pieces   []pieceTargets `json:"pieces"`             // the whole stack, then its members
	Obstacle *obstacle      `json:"obstacle,omitempty"` // why no move fulfils the request
	Zones    []zone         `json:"zones"`
}

// pieceTargets are the legal moves of a piece.
type pieceTargets struct {
	Piece   string   `json:"piece"`
	Name    string   `json:"name"`
	Targets []target `json:"targets"`
}

// target is a legal move.
type target struct {
	replay.Move
	Wire string     `json:"move"` // as the request has moves in play
	Way  engine.Way `json:"way"`
}

// obstacle is an engine.Obstacle.
type obstacle struct {
	Why  string `json:"why"`
	At   string `json:"at,omitempty"`
	Text string `json:"text"`
}

// zone is an engine.Zone of a side.
type zone struct {
	Side  string   `json:"side"`
	Guard string   `json:"guard"`
	Cells []string `json:"cells"`
}

func (l *lesson) answer() *targetsAnswer {
	g := &l.game
	a := &targetsAnswer{Game: g.Name, Position: l.pos.String(), Side: g.Sides[l.pos.Turn()], Pieces: l.pieces(), Zones: []zone{}}
	if l.outcome != engine.Ongoing {
		a.Result, a.Reason = g.Results()[l.outcome.Result], g.ReasonName(l.outcome.Reason)
	}
	for i := range a.Pieces {
		a.Pieces[i].Targets = l.targets(a.Pieces[i].Piece)
	}
	a.Obstacle = l.obstacle(a.Pieces)
	guarded, ok := l.pos.(engine.Guarded)
	if !ok {
		return a
	}
	for side, name := range g.Sides {
		for _, z := range guarded.Zones(engine.Side(side)) {
			a.Zones = append(a.Zones, zone{name, z.Guard, z.Squares})
		}
	}
	return a
}

// pieces returns what may move from the cell, without targets: the whole stack, and its members if
// there are several.
func (l *lesson) pieces() []pieceTargets {
	b := &l.game.Board
	list := []pieceTargets{{Name: board.Words(b, l.game.Sides, l.code)}}
	members := slices.Clone(b.Codes[l.code])
	members = slices.DeleteFunc(members, func(p encode.Piece) bool { return b.Kinds[p.Kind].Figure == encode.Tile })
	if len(members) > 1 {
		for _, p := range members {
			list = append(list, pieceTargets{Piece: b.Kinds[p.Kind].Letter, Name: b.Kinds[p.Kind].Name})
		}
	}
	return list
}

// targets returns the legal moves of a piece. Where pieces of a game do not stand in stacks, a move
// without a wish is one of the whole stack.
func (l *lesson) targets(piece string) []target {
	list := []target{}
	if l.outcome != engine.Ongoing {
		return list
	}
	for _, m := range l.pos.Moves(nil) {
		action := l.game.Actions.Number(m)
		if l.game.Actions.Describe(action).From != l.From {
			continue
		}
		wish := engine.Wish{Way: engine.Quiet}
		switch {
		case l.arbiter != nil:
			wish = l.arbiter.Wish(m)
		case l.game.Actions.IsCapture != nil && l.game.Actions.IsCapture(l.pos, m):
			wish.Way = engine.Capture
		}
		if wish.Piece == piece {
			list = append(list, target{replay.NewMove(&l.game, l.pos, action), l.pos.FormatMove(m), wish.Way})
		}
	}
	return list
}

// obstacle returns why no piece that was asked for may go where it was asked to go; without such a
// cell, why nothing on the cell may move.
func (l *lesson) obstacle(pieces []pieceTargets) *obstacle {
	switch {
	case l.arbiter == nil || l.From == "" && l.Way != engine.EndTurn:
		return nil
	case l.outcome != engine.Ongoing && len(l.pos.Moves(nil)) > 0:
		return &obstacle{Why: engine.Over.String(), Text: fmt.Sprintf("The game is over: %s.", replay.End(&l.game, l.outcome))}
	}
	o := l.closest(pieces)
	asksForNothing := l.From != "" && l.To == ""
	if o.Why == engine.NoObstacle || asksForNothing && o.Why > engine.NoPiece {
		return nil
	}
	return &obstacle{o.Why.String(), o.At, o.Text}
}

// closest returns the obstacle of the piece that comes closest to the cell: the last kind of obstacle,
// or none if a piece may go there. Without a cell to go to, a piece asks for its own.
func (l *lesson) closest(pieces []pieceTargets) (last engine.Obstacle) {
	wish := engine.Wish{From: l.From, To: cmp.Or(l.To, l.From), Way: l.Way, Tile: l.Tile}
	if l.Piece != nil {
		wish.Piece = *l.Piece
		return l.arbiter.Obstacle(wish)
	}
	for _, p := range pieces {
		wish.Piece = p.Piece
		o := l.arbiter.Obstacle(wish)
		if o.Why == engine.NoObstacle {
			return o
		}
		if o.Why > last.Why {
			last = o
		}
	}
	return last
}
