package report

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"selfplay/cmd/internal/board"
	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/replay"
	"selfplay/engine/nnue/nets"
)

// stepper is a game on the page that the reader can step through. Its JSON is what replay.js
// needs; the page has the rest as text.
type stepper struct {
	ID string `json:"id"` // of the element
	replay.Script

	Played []replay.Step `json:"-"`
	Files  int           `json:"-"` // of the board
	Title  string        `json:"-"`
	Note   string        `json:"-"`
	Cut    string        `json:"-"` // says that the page has only the first plies
	Board  handBoard     `json:"-"` // the first position
	Curve  template.HTML `json:"-"` // expected result by ply
	Key    int           `json:"-"` // ply that makes the game surprising; 0: none
}

// replays returns the games of each dataset.
func (r *Report) replays() (columns []column) {
	found := false
	for i := range r.Datasets {
		c := column{Letter: r.letter(i)}
		for n := range r.Datasets[i].Games {
			c.Replays = append(c.Replays, r.replay(fmt.Sprintf("replay-%s%d", datasetColours[i], n), &r.Datasets[i].Games[n]))
			found = true
		}
		columns = append(columns, c)
	}
	if !found {
		return nil
	}
	return columns
}

func (r *Report) replay(id string, g *Game) stepper {
	p := stepper{
		ID: id, Script: g.played.Script(r.game), Played: g.played.Steps, Files: r.game.Board.Files,
		Title: titleOf(g), Note: r.noteOf(g), Curve: g.played.Curve(r.game.ReferenceModel()),
	}
	if len(g.played.Steps) < g.Plies {
		p.Cut = fmt.Sprintf("The page has the first %s plies.", human.Number(len(g.played.Steps)))
		p.End = "The page does not have the rest"
	}
	if g.Missed != nil && g.Missed.Ply < len(g.played.Steps) {
		p.Key = g.Missed.Ply + 1
	}
	label := fmt.Sprintf("board of game %s", human.Number(g.Game))
	p.Board = r.handBoard(board.Drawing{Label: label, Codes: g.played.Cells, Live: true, Sides: &r.Sides}, g.played.Hands)
	return p
}

// figures returns the figures of all codes that occur in replays.
func (r *Report) figures() template.HTML {
	codes := map[int]bool{}
	for _, d := range r.Datasets {
		for _, g := range d.Games {
			maps.Copy(codes, g.played.Codes())
		}
	}
	delete(codes, 0)
	if len(codes) == 0 {
		return ""
	}
	return template.HTML(board.Figures(&r.game.Board, r.Sides, slices.Sorted(maps.Keys(codes))))
}

// titleOf names the reasons why a game was chosen: First and longest game.
func titleOf(g *Game) string {
	names := map[string]string{FirstGame: "first", LongestGame: "longest", SurprisingGame: "most surprising"}
	var list []string
	for _, c := range g.Choices {
		list = append(list, names[c])
	}
	title := list[len(list)-1] + " game"
	if n := len(list) - 1; n > 0 {
		title = strings.Join(list[:n], ", ") + " and " + title
	}
	return strings.ToUpper(title[:1]) + title[1:]
}

// noteOf describes a game.
func (r *Report) noteOf(g *Game) string {
	text := fmt.Sprintf("Game %s, %s: %s.", human.Number(g.Game), human.Count(g.Plies, "ply"), replay.End(r.game, g.played.Record.Outcome))
	if g.Players[0] != g.Players[1] {
		text += fmt.Sprintf(" %s: %s, %s: %s.", r.Sides[0], nets.Shown(g.Players[0]), r.Sides[1], nets.Shown(g.Players[1]))
	}
	if m := g.Missed; m != nil {
		text += fmt.Sprintf(" At ply %s %s had %s and did not win.", human.Number(m.Ply+1), m.Side, replay.ScoreText(g.played.Model, m.Score))
	}
	return text
}
