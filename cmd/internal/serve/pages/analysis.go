package pages

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// analysisPage is the data of the page on which players search a position, and play from it.
type analysisPage struct {
	Games    []encode.Game
	Title    string
	From     string // position of a game of a dataset: DATASET:GAME@PLY
	FromURL  string
	line            // how the position came about
	Position string // that is shown
	Problem  string // why another one is not shown
	Side     string // to move
	Other    string
	End      string   // how the game ended, "" if it goes on
	Players  []string // to choose from
	Types    []workers.PlayerTypeFacts
	Board    boardView
	Figures  template.HTML
	Moves    []legalMove
	// CannotEnd says why the turn may not end now, if several moves make it and some are played.
	CannotEnd string
	Data      analysisData
}

// analysisData is what analysis.js reads.
type analysisData struct {
	boardData
	Start   string   `json:"start"` // position before the moves that were played
	Played  []string `json:"played"`
	Cells   []int    `json:"cells"`
	Hands   []int    `json:"hands"`
	Changed []int    `json:"changed"` // cells that the last move changed
	Answers bool     `json:"answers"` // the player is to move, in a game against the reader
}

// defaultPlayer searches some tenths of a second and gives four moves.
const defaultPlayer = "ab:nodes=200000,hash=16,multi=4"

// suggested are players to choose from, in every game.
var suggested = []string{defaultPlayer, "mcts:sims=2000", "ab:depth=4,multi=4", "greedy", "random"}

func (p *Pages) analysis(w http.ResponseWriter, r *http.Request) error {
	params := catalog.ParamsOf(r)
	page := analysisPage{Games: p.Known.Games, From: params.String("from"), line: readLine(params), Players: suggested}
	if err := params.Err(); err != nil {
		return err
	}
	if page.From != "" {
		if err := p.readFrom(&page); err != nil {
			return err
		}
	}
	if page.Game == "" {
		page.Game = page.Games[0].Name
	}
	g, err := p.Known.Games.Find(page.Game)
	if err != nil {
		return catalog.BadRequest("%v", err)
	}
	if page.Against != "" && page.Against != g.Sides[0] && page.Against != g.Sides[1] {
		return catalog.BadRequest("parameter against: %.40q: want %s or %s", page.Against, g.Sides[0], g.Sides[1])
	}
	page.Title, page.Types = g.Title, p.Known.Players.Facts(&g.Game)
	pos, err := page.play(&g)
	if err != nil {
		page.Problem = err.Error()
	}
	page.show(&g, pos)
	return write(w, http.StatusOK, "analysis", &frame{
		Title: "Analysis", Crumbs: []crumb{{"Datasets", "/"}, {"Analysis", ""}}, Styles: []string{boardStyle(g.Name)},
		Modules: []string{"/static/analysis.js"}, Page: &page,
	})
}

// WithoutCells returns the moves that no click on a cell plays: those that end a turn of several moves.
func (page *analysisPage) WithoutCells() (list []legalMove) {
	for _, m := range page.Moves {
		if !m.hasCells {
			list = append(list, m)
		}
	}
	return list
}

// cannotEnd returns why a turn that several moves have begun may not end now, "" if it may, or has not begun.
func cannotEnd(pos engine.Position) string {
	p, ok := pos.(engine.Arbiter)
	if !ok {
		return ""
	}
	o := p.Obstacle(engine.Wish{Way: engine.EndTurn})
	if o.Why <= engine.NoPiece {
		return ""
	}
	return o.Text
}

// readFrom reads the position of a game of a dataset.
func (p *Pages) readFrom(page *analysisPage) error {
	at, err := p.Games.Position(page.From)
	if err != nil {
		return err
	}
	ply, err := replay.At(at.Shape, at.Record, at.Ply)
	if err != nil {
		return err
	}
	page.Game, page.Variant, page.Start = at.Shape.Game.Name, at.Shape.Variant, ply.Position
	page.FromURL = fmt.Sprintf("%s?ply=%d", datasetURL(at.Dataset.Name, "games", fmt.Sprint(at.Record.Game)), at.Ply)
	return nil
}

// show adds a position to the page.
func (page *analysisPage) show(g *encode.Game, pos engine.Position) {
	page.Position, page.Side, page.Other = pos.String(), g.Sides[pos.Turn()], g.Sides[1-pos.Turn()]
	cells, hands := replay.Cells(g, pos), replay.Hands(g, pos)
	page.Board = newBoardView(g, "Board of the position", cells, hands, page.Flip)
	codes := map[int]bool{}
	for _, code := range cells {
		codes[code] = true
	}
	page.Data = analysisData{Start: page.Start, Played: page.Played, Cells: cells, Hands: hands, Changed: page.changed}
	page.Data.boardData, page.Figures = newBoardData(g, page.Variant, codes)
	if end := pos.Outcome(); end != engine.Ongoing {
		page.End = replay.End(g, end)
		return
	}
	page.Data.Answers = page.Against == page.Side
	page.Moves = page.legalMoves(g, pos)
	page.CannotEnd = cannotEnd(pos)
}

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

// moveSeparator is between the moves of a line. No notation of moves has it.
const moveSeparator = "|"

// readLine reads the parameters of a line.
func readLine(params *catalog.Params) line {
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
		return g.New(""), catalog.BadRequest("unknown variant %.40q of %s", l.Variant, g.Name)
	}
	pos := g.New(l.Variant)
	if len(played) > 2*maxPlayed { // each step has a link with all moves before it
		return pos, catalog.BadRequest("%d moves: want at most %d", len(played), 2*maxPlayed)
	}
	if l.Start != "" {
		if err := pos.Set(l.Start); err != nil {
			l.Start = pos.String()
			return pos, err
		}
	}
	l.Start = pos.String()
	steps, err := playMoves(g, pos, played)
	l.Played = played[:len(steps)]
	for i := range steps {
		l.Steps = append(l.Steps, lineStep{steps[i].Number(), steps[i].Listed(), l.URL(l.Played[:i+1])})
	}
	if n := len(steps); n > 0 {
		l.changed = lastChange(g, pos, played[n-1])
	}
	return pos, err
}

// playMoves plays moves in wire form and returns them with their numbers and turns, up to the first that cannot be played.
func playMoves(g *encode.Game, pos engine.Position, moves []string) (steps []replay.Step, err error) {
	number := replay.FirstTurn(pos)
	var turn []engine.Move // so far
	for i, wire := range moves {
		m, illegal := pos.ParseMove(wire)
		if illegal != nil {
			err = illegal
			break
		}
		if i > 0 && steps[i-1].Side != pos.Turn() {
			turn = nil
		}
		steps = append(steps, replay.Step{Move: encode.MoveText(pos, m), Side: pos.Turn()})
		pos.Do(m)
		turn = append(turn, m)
		nameTurn(steps[len(steps)-len(turn):], pos, turn)
	}
	replay.NumberTurns(steps, number)
	return steps, err
}

// nameTurn writes a turn of several moves, which is on pos, as players do.
func nameTurn(steps []replay.Step, pos engine.Position, turn []engine.Move) {
	p, whole := pos.(engine.TurnNotation)
	if !whole || len(turn) == 1 {
		return
	}
	for range turn {
		p.Undo()
	}
	text, _ := p.TurnSAN(turn)
	for i, m := range turn {
		p.Do(m)
		steps[i].Whole = text
	}
}

// lastChange returns the cells that the last move on pos changed. Its text is wire.
func lastChange(g *encode.Game, pos engine.Position, wire string) (cells []int) {
	after := replay.Cells(g, pos)
	pos.Undo()
	pairs, _ := replay.Changes(replay.Cells(g, pos), after)
	if m, err := pos.ParseMove(wire); err == nil { // it was legal before
		pos.Do(m)
	}
	for i := 0; i < len(pairs); i += 2 {
		cells = append(cells, pairs[i])
	}
	return cells
}

// legalMove is a legal move and the page after it.
type legalMove struct {
	Text, URL string
	Action    uint16
	hasCells  bool
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
		list = append(list, legalMove{replay.MoveText(g, pos, action), base.URL(played), action, a.From != "" || a.To != ""})
	}
	slices.SortFunc(list, func(a, b legalMove) int { return strings.Compare(a.Text, b.Text) })
	return list
}
