package replay

import "selfplay/encode"

// Script is what a script of a page needs to step through a game.
type Script struct {
	Begin string       `json:"begin"` // text of the first position
	End   string       `json:"end"`   // added to the text of the last position
	Cells []int        `json:"cells"` // codes of the cells of the first position
	Steps []ScriptStep `json:"steps"`
}

// ScriptStep is a ply.
type ScriptStep struct {
	Text  string `json:"text"`           // side and move
	Note  string `json:"note"`           // how the move was chosen, and the score
	Cells []int  `json:"cells"`          // pairs of a changed cell and its code
	More  bool   `json:"more,omitempty"` // continues a turn
}

// Script returns the game for a script. start is the text of the first position, "" for the start of
// the game.
func (game *Game) Script(g *encode.Game, start string) Script {
	list := Script{Begin: "First position", End: End(g, game.Outcome), Cells: game.Cells}
	if start != "" {
		list.Begin += ": " + start
	}
	for i := range game.Steps {
		s := &game.Steps[i]
		list.Steps = append(list.Steps, ScriptStep{s.Text(g.Sides), s.Note(game.Model), s.Changed, s.TurnStep > 1})
	}
	return list
}
