package pages

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"selfplay/cmd/internal/board"
	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/web"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// analysisPage is the data of the page on which players search a position.
type analysisPage struct {
	Games    []encode.Game
	Game     string
	Title    string
	Variant  string
	From     string // position of a game of a dataset: DATASET:GAME@PLY
	FromURL  string
	Position string
	Problem  string // why the position is not shown
	Side     string
	End      string // how the game ended, "" if it goes on
	Player   string
	Players  []string // to choose from
	Types    []workers.PlayerTypeFacts
	Board    template.HTML
	Legend   template.HTML
	Figures  template.HTML
	Moves    []legalMove
	Data     analysisData
}

// legalMove is a legal move and the page after it.
type legalMove struct{ Text, URL string }

// analysisData is what analysis.js reads.
type analysisData struct {
	boardData
	Position string `json:"position"`
	Cells    []int  `json:"cells"`
}

// defaultPlayer searches some tenths of a second and gives four moves.
const defaultPlayer = "ab:nodes=200000,hash=16,multi=4"

// suggested are players to choose from, in every game.
var suggested = []string{defaultPlayer, "mcts:sims=2000", "ab:depth=4,multi=4", "greedy", "random"}

func (p *Pages) analysis(w http.ResponseWriter, r *http.Request) error {
	params := web.ParamsOf(r)
	page := analysisPage{
		Games: p.Known.Games, Game: params.String("game"), Variant: params.String("variant"), From: params.String("from"),
		Position: params.String("position"), Player: params.String("player"), Players: suggested,
	}
	move := params.String("play")
	if err := params.Err(); err != nil {
		return err
	}
	if page.Player == "" {
		page.Player = defaultPlayer
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
		return web.BadRequest("%v", err)
	}
	page.Title, page.Types = g.Title, p.Known.Players.Facts(&g.Game)
	pos, err := place(&g, page.Variant, page.Position, move)
	if err != nil {
		page.Problem = err.Error()
	}
	page.show(&g, pos)
	return write(w, http.StatusOK, "analysis", &frame{
		Title: "Analysis", Crumbs: []crumb{{"Datasets", "/"}, {"Analysis", ""}}, Styles: []string{boardStyle(g.Name)},
		Modules: []string{"/static/analysis.js"}, Page: &page,
	})
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
	page.Game, page.Variant, page.Position = at.Shape.Game.Name, at.Shape.Variant, ply.Position
	page.FromURL = fmt.Sprintf("%s?ply=%d", datasetURL(at.Dataset.Name, "games", fmt.Sprint(at.Record.Game)), at.Ply)
	return nil
}

// place returns a position after a move. After an error it returns the start of the game, or the
// position before the move.
func place(g *encode.Game, variant, text, move string) (engine.Position, error) {
	if !g.HasVariant(variant) {
		return g.New(""), web.BadRequest("unknown variant %.40q of %s", variant, g.Name)
	}
	pos := g.New(variant)
	if text != "" {
		if err := pos.Set(text); err != nil {
			return pos, err
		}
	}
	if move == "" {
		return pos, nil
	}
	m, err := pos.ParseMove(move)
	if err == nil {
		pos.Do(m)
	}
	return pos, err
}

// show adds a position to the page.
func (page *analysisPage) show(g *encode.Game, pos engine.Position) {
	page.Position, page.Side = pos.String(), g.Sides[pos.Turn()]
	cells := replay.Cells(g, pos)
	page.Board = template.HTML(board.Draw(&g.Board, board.Drawing{Label: "Board of the position", Codes: cells, Live: true, Sides: &g.Sides}))
	page.Legend = template.HTML(board.Legend(&g.Board, g.Sides))
	codes := map[int]bool{}
	for _, code := range cells {
		codes[code] = true
	}
	page.Data = analysisData{Position: page.Position, Cells: cells}
	page.Data.boardData, page.Figures = newBoardData(g, page.Variant, codes)
	if end := pos.Outcome(); end != engine.Ongoing {
		page.End = replay.End(g, end)
		return
	}
	for _, m := range pos.Moves(nil) {
		page.Moves = append(page.Moves, newLegalMove(page, pos, m))
	}
	sortMoves(page.Moves)
}

// newLegalMove returns a legal move with the address of the page after it.
func newLegalMove(page *analysisPage, pos engine.Position, m engine.Move) legalMove {
	wire := pos.FormatMove(m)
	text := wire
	if p, ok := pos.(engine.Algebraic); ok {
		text = p.SAN(m)
	}
	v := url.Values{"game": {page.Game}, "position": {page.Position}, "play": {wire}, "player": {page.Player}}
	if page.Variant != "" {
		v.Set("variant", page.Variant)
	}
	return legalMove{text, "/analysis?" + v.Encode()}
}

func sortMoves(list []legalMove) {
	slices.SortFunc(list, func(a, b legalMove) int { return strings.Compare(a.Text, b.Text) })
}
