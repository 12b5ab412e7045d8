package pages

import (
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"selfplay/cmd/internal/board"
	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets/gameindex"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
)

// gamePage is the data of a game.
type gamePage struct {
	Dataset string
	Record  *engine.Record
	Note    string
	Sides   [2]string
	Split   string
	Shard   int
	Board   boardView
	Figures template.HTML
	Curve   template.HTML
	Steps   []numbered
	Ply     int
	Step    string // the number of the position, and the move that led to it
	Drop    string // link text of the largest drop
	DropPly int    // its number, from 0 as in the rows
	Earlier string // URL of the game before
	Later   string
	Data    gameData
	// Downloads are links to files of the game.
	Downloads []link
}

// numbered is a move of the list, with the number of plies after it.
type numbered struct {
	Ply                 int
	Move, Class, Number string
}

// gameData is what game.js reads.
type gameData struct {
	Name string `json:"name"` // DATASET:GAME
	boardData
	replay.Script
}

func (p *Pages) game(w http.ResponseWriter, r *http.Request) error {
	d, err := p.Datasets.Find(r.PathValue("dataset"))
	if err != nil {
		return err
	}
	number, err := strconv.ParseUint(r.PathValue("game"), 10, 63)
	if err != nil {
		return catalog.NotFound("no game %.40q in dataset %s", r.PathValue("game"), d.Name)
	}
	params := catalog.ParamsOf(r)
	ply, flip := params.Int("ply", 0, 0, 1<<16), params.Bool("flip")
	if err := params.Err(); err != nil {
		return err
	}
	shape, err := d.Shape()
	if err != nil {
		return err
	}
	record, commit, err := p.Games.Record(d, number)
	if err != nil {
		return err
	}
	page, err := newGamePage(d.Name, shape, record, min(ply, len(record.Actions)), flip)
	if err != nil {
		return err
	}
	page.Split, page.Shard = d.SplitOf(number), commit.Shard
	page.Earlier, page.Later = p.neighbours(d, number)
	page.Downloads = p.gameDownloads(d.Name, number, shape)
	if ix, err := p.Games.Index(d); err == nil {
		page.addDrop(ix, number)
	}
	return write(w, http.StatusOK, "game", &frame{
		Title: fmt.Sprintf("Game %s of %s", human.Number(number), d.Name),
		Crumbs: []crumb{
			{"Datasets", "/"}, {d.Name, datasetURL(d.Name)}, {"Games", datasetURL(d.Name, "games")},
			{fmt.Sprintf("Game %s", human.Number(number)), ""},
		},
		Styles: []string{boardStyle(shape.Game.Name)}, Modules: []string{"/static/game.js"}, Page: page,
	})
}

// maxSteps is the number of plies of a record, and of a page.
const maxSteps = 1 << 16

// newGamePage returns the page of a game, which shows the position after ply plies.
func newGamePage(dataset string, shape *rows.Shape, r *engine.Record, ply int, flip bool) (*gamePage, error) {
	g := &shape.Game
	game, err := replay.New(g, shape.Variant, r, maxSteps, shape.WDL)
	if err != nil {
		return nil, err
	}
	page := &gamePage{
		Dataset: dataset, Record: r, Sides: g.Sides, Ply: ply, Step: "First position",
		Note: fmt.Sprintf("%s, %s", human.Count(len(r.Actions), "ply"), replay.End(g, r.Outcome)), Curve: game.Curve(g.ReferenceModel()),
	}
	label := fmt.Sprintf("Board of game %s", human.Number(r.Game))
	page.Board = newBoardView(g, label, game.CellsAt(ply), game.HandsAt(ply), flip)
	page.Data = gameData{Name: fmt.Sprintf("%s:%d", dataset, r.Game), Script: game.Script(g)}
	page.Data.boardData, page.Figures = newBoardData(g, shape.Variant, game.Codes())
	for i := range game.Steps {
		s := &game.Steps[i]
		page.Steps = append(page.Steps, numbered{i + 1, s.Listed(), s.Class(), s.Number()})
		if i+1 == ply {
			page.Step = fmt.Sprintf("Ply %s of %s, after %s", human.Number(ply), human.Number(len(r.Actions)), s.Text(g.Sides))
		}
	}
	return page, nil
}

// neighbours returns the pages of the games before and after a game, "" where there is none. They do
// not need the index, which a large dataset has only after a while.
func (p *Pages) neighbours(d *catalog.Dataset, number uint64) (earlier, later string) {
	page := func(n uint64) string {
		if !p.Games.Has(d, n) {
			return ""
		}
		return datasetURL(d.Name, "games", fmt.Sprint(n))
	}
	if number > 0 {
		earlier = page(number - 1)
	}
	return earlier, page(number + 1)
}

// addDrop adds the largest drop of the expected result.
func (p *gamePage) addDrop(ix *gameindex.Index, number uint64) {
	if g, found := ix.Game(number); found && g.Drop > 0 {
		p.Drop, p.DropPly = human.Percent(float64(g.Drop)/10_000), g.DropPly
	}
}

// URL returns the address of the page after a number of plies, flipped or not.
func (p *gamePage) URL(ply int, flip bool) string {
	at := fmt.Sprintf("?ply=%d", ply)
	if flip {
		at += "&flip=1"
	}
	return at
}

// AnalysisURL returns the page that searches the position shown without scripts.
func (p *gamePage) AnalysisURL() string {
	return "/analysis?" + url.Values{"from": {fmt.Sprintf("%s@%d", p.Data.Name, p.Ply)}}.Encode()
}

// boardView is a board of a page, with the pieces in hand beside it.
type boardView struct {
	SVG          template.HTML
	Above, Below template.HTML // pieces in hand
	Legend       template.HTML
	Flip         bool
	Zones        string // what pieces guard, "" for nothing
	Terrain      bool   // grounds have names
	Rules        string // the page of the rules, "" if there is none
}

// newBoardView draws cells and hands.
func newBoardView(g *encode.Game, label string, cells, hands []int, flip bool) boardView {
	b := &g.Board
	above, below := board.Beside(b, g.Sides, hands, flip)
	svg := board.Draw(b, board.Drawing{Label: label, Codes: cells, Live: true, Sides: &g.Sides, Flip: flip})
	return boardView{
		template.HTML(svg), template.HTML(above), template.HTML(below), template.HTML(board.Legend(b, g.Sides)), flip,
		capital(b.Zones), len(newGrounds(b).Signs) > 0, rulesURL(g.Name),
	}
}

// boardData is what scripts know of a board.
type boardData struct {
	Game    string         `json:"game"`
	Variant string         `json:"variant"`
	Files   int            `json:"files"`
	Ranks   int            `json:"ranks"`
	Words   map[int]string `json:"words"` // what a code stands for
	Sides   [2]string      `json:"sides"`
	Origin  bool           `json:"origin"` // moves leave a cell
	Grounds grounds        `json:"grounds"`
}

// newBoardData returns the data of a board on which codes occur, and their figures.
func newBoardData(g *encode.Game, variant string, codes map[int]bool) (boardData, template.HTML) {
	delete(codes, 0)
	data := boardData{g.Name, variant, g.Board.Files, g.Board.Ranks, map[int]string{}, g.Sides, g.Actions.HasOrigin, newGrounds(&g.Board)}
	for code := range codes {
		data.Words[code] = board.Words(&g.Board, g.Sides, code)
	}
	return data, template.HTML(board.Figures(&g.Board, g.Sides, slices.Sorted(maps.Keys(codes))))
}

// grounds are the named grounds of a board, with signs for the cells of some, and its lines by number.
type grounds struct {
	Signs []sign   `json:"signs"`
	Lines []string `json:"lines"` // "" for one without a name
}

// sign is what is written on the cells of a ground: nothing if it is "".
type sign struct {
	Sign  string   `json:"sign"`
	Name  string   `json:"name"`
	Cells []string `json:"cells"`
}

// groundSigns are the signs of the grounds, in order; others have none.
var groundSigns = []string{"≈", "~"}

func newGrounds(b *encode.Board) grounds {
	all := grounds{[]sign{}, []string{}} // [] in JSON, not null
	for n, ground := range b.Grounds {
		switch {
		case ground.Name == "":
		case n < len(groundSigns):
			all.Signs = append(all.Signs, sign{groundSigns[n], ground.Name, cellsOf(b, n)})
		default:
			all.Signs = append(all.Signs, sign{"", ground.Name, nil})
		}
	}
	for _, line := range b.Lines {
		all.Lines = append(all.Lines, line.Name)
	}
	return all
}

// capital returns a text with its first letter in upper case.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// cellsOf returns the names of the cells of a ground.
func cellsOf(b *encode.Board, ground int) (names []string) {
	for cell := range b.Cells() {
		if b.Ground(cell) == ground {
			names = append(names, b.Name(cell))
		}
	}
	return names
}
