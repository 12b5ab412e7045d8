package stats

import (
	"selfplay/datasets/wdl"
	"selfplay/encode"
	"selfplay/engine"
)

// LeadPlies is the number of searched plies in which a side must have a lead for its position to count as won.
const LeadPlies = 20

// leads counts drawn games in which a side had a won position.
type leads struct {
	least int                       // score that is a lead, 0 if none is known
	game  [2]int                    // by side: plies of the current game in which it led
	drawn map[engine.Outcome]uint64 // drawn games from a won position
}

// newLeads takes the lead from the model of the files, or else from the first model of the game. A game
// without models has none.
func newLeads(g *encode.Game, model *encode.WDL) leads {
	l := leads{drawn: map[engine.Outcome]uint64{}}
	if model == nil && len(g.Models) > 0 {
		model = g.ReferenceModel()
	}
	if model != nil {
		l.least = wdl.ModelOf(model).Lead()
	}
	return l
}

// add counts a searched ply of the current game. The score is from the view of the side to move; proven ends
// are leads as well.
func (l *leads) add(score int, turn engine.Side) {
	switch {
	case score >= l.least:
		l.game[turn]++
	case score <= -l.least:
		l.game[turn.Other()]++
	}
}

// endGame ends the current game.
func (l *leads) endGame(end engine.Outcome) {
	if l.least > 0 && end.Result == engine.Draw && max(l.game[0], l.game[1]) >= LeadPlies {
		l.drawn[end]++
	}
	l.game = [2]int{}
}

func (l *leads) merge(o *leads) {
	for end, n := range o.drawn {
		l.drawn[end] += n
	}
}
