package pages

import (
	"fmt"
	"html/template"
	"net/http"

	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/web"
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
	Data     analysisData
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
	params := web.ParamsOf(r)
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
		return web.BadRequest("%v", err)
	}
	if page.Against != "" && page.Against != g.Sides[0] && page.Against != g.Sides[1] {
		return web.BadRequest("parameter against: %.40q: want %s or %s", page.Against, g.Sides[0], g.Sides[1])
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
		if m.From == "" && m.To == "" {
			list = append(list, m)
		}
	}
	return list
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
}
