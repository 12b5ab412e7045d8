package pages

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
)

// line is a position and the moves that were played from there, as the address of the page of an
// analysis has them. So repetitions count, and every move can be taken back.
type line struct {
	Game    string
	Variant string
	Start   string   // text of the position before the moves
	Played  []string // moves in wire form
	Player  string
	Against string // the side that Player has in a game against the reader, "" if there is none
	Flip    bool

	Steps   []lineStep // of Played
	changed []int      // cells that the last move changed
}

// lineStep is a move of a line, with the page after it.
type lineStep struct{ Number, Text, URL string }

// String returns the move with its number, if it has one: 1. e4.
func (s lineStep) String() string { return strings.TrimPrefix(s.Number+" "+s.Text, " ") }

// stepsOf returns the first moves of a game, which are given in wire form.
func stepsOf(shape *rows.Shape, moves []string) []lineStep {
	l := line{Game: shape.Game.Name, Variant: shape.Variant, Played: moves}
	_, _ = l.play(&shape.Game) // the steps before an error are right
	return l.Steps
}

// numberedMoves writes the first moves of a game as players do: 1. e4 e5 2. Nf3.
func numberedMoves(shape *rows.Shape, moves []string) string {
	var list []string
	for _, s := range stepsOf(shape, moves) {
		list = append(list, s.String())
	}
	return strings.Join(list, " ")
}

// moveSeparator is between the moves of a line. No notation of moves has it.
const moveSeparator = "|"

// readLine reads the parameters of a line.
func readLine(params *web.Params) line {
	l := line{
		Game: params.String("game"), Variant: params.String("variant"), Start: params.String("position"),
		Player: cmp.Or(params.String("player"), defaultPlayer), Against: params.String("against"), Flip: params.Bool("flip"),
	}
	if moves := params.String("play"); moves != "" {
		l.Played = strings.Split(moves, moveSeparator)
	}
	return l
}

// URL returns the page after some moves.
func (l *line) URL(played []string) string {
	v := url.Values{"game": {l.Game}, "position": {l.Start}, "player": {l.Player}}
	if len(played) > 0 {
		v.Set("play", strings.Join(played, moveSeparator))
	}
	if l.Variant != "" {
		v.Set("variant", l.Variant)
	}
	if l.Against != "" {
		v.Set("against", l.Against)
	}
	if l.Flip {
		v.Set("flip", "1")
	}
	return "/analysis?" + v.Encode()
}

// Play returns the moves as the parameter has them.
func (l *line) Play() string { return strings.Join(l.Played, moveSeparator) }

// Back returns the page before the last move.
func (l *line) Back() string { return l.URL(l.Played[:max(0, len(l.Played)-1)]) }

// First returns the page before all moves.
func (l *line) First() string { return l.URL(nil) }

// Flipped returns the page with the board seen from the other side.
func (l *line) Flipped() string {
	other := *l
	other.Flip = !l.Flip
	return other.URL(l.Played)
}

// With returns the page on which the player has another side, or none for "".
func (l *line) With(against string) string {
	other := *l
	other.Against = against
	return other.URL(l.Played)
}

// play sets up the first position and plays the moves. After an error it returns the start of the game,
// or the position before the move that cannot be played; that one and the later ones are dropped.
func (l *line) play(g *encode.Game) (engine.Position, error) {
	played := l.Played
	l.Played = nil
	if !g.HasVariant(l.Variant) {
		return g.New(""), web.BadRequest("unknown variant %.40q of %s", l.Variant, g.Name)
	}
	pos := g.New(l.Variant)
	if l.Start != "" {
		if err := pos.Set(l.Start); err != nil {
			l.Start = pos.String()
			return pos, err
		}
	}
	l.Start = pos.String()
	turn, steps := replay.FirstTurn(pos), []replay.Step(nil)
	defer func() { l.number(steps, turn) }()
	for i, wire := range played {
		m, err := pos.ParseMove(wire)
		if err != nil {
			return pos, err
		}
		l.Played = played[:i+1]
		steps = append(steps, replay.Step{Move: replay.MoveText(g, pos, g.Actions.Number(m)), Side: pos.Turn()})
		before := replay.Cells(g, pos)
		pos.Do(m)
		l.changed = changedCells(before, replay.Cells(g, pos))
	}
	return pos, nil
}

// number adds the moves with their numbers.
func (l *line) number(steps []replay.Step, turn int) {
	replay.NumberTurns(steps, turn)
	for i := range steps {
		l.Steps = append(l.Steps, lineStep{steps[i].Number(), steps[i].Move, l.URL(l.Played[:i+1])})
	}
}

// changedCells returns the cells that differ.
func changedCells(before, after []int) (cells []int) {
	pairs, _ := replay.Changes(before, after)
	for i := 0; i < len(pairs); i += 2 {
		cells = append(cells, pairs[i])
	}
	return cells
}

// legalMove is a legal move and the page after it.
type legalMove struct {
	Text, URL string
	Action    uint16
	From, To  string // cells, "" where the move has none
	Kind      string
}

// maxPlayed is the number of moves of an address: browsers and servers limit its length.
const maxPlayed = 300

// legalMoves returns the legal moves of the last position, by their texts.
func (l *line) legalMoves(g *encode.Game, pos engine.Position) (list []legalMove) {
	base := *l
	if len(l.Played) >= maxPlayed { // go on from here, without the history
		base.Start, base.Played = pos.String(), nil
	}
	for _, m := range pos.Moves(nil) {
		action := g.Actions.Number(m)
		played := append(base.Played[:len(base.Played):len(base.Played)], pos.FormatMove(m))
		a := g.Actions.Describe(action)
		list = append(list, legalMove{replay.MoveText(g, pos, action), base.URL(played), action, a.From, a.To, a.Kind})
	}
	slices.SortFunc(list, func(a, b legalMove) int { return strings.Compare(a.Text, b.Text) })
	return list
}
