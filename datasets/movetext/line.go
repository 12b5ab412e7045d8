package movetext

import (
	"bytes"

	"selfplay/datasets/gamerow"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/search"
)

// line is a game as a JSON object.
type line struct {
	Game    uint64   `json:"game"`
	Players []string `json:"players"` // of both sides
	Start   string   `json:"start"`   // position; "" means the start of the game
	Opening uint16   `json:"opening_plies"`
	Result  string   `json:"result"`
	Reason  string   `json:"reason"`
	Moves   []string `json:"moves"`
	Scores  []*int16 `json:"scores,omitempty"` // by ply, from the view of the side to move; null without a search

	Tags map[string]string `json:"tags,omitempty"` // of an imported game, by gamerow.TagColumns

	// Policies are visits by move and ply; null without. They are only read: records have weights.
	Policies []map[string]uint64 `json:"policies,omitempty"`
}

func (l *line) addTag(name, value string) {
	if l.Tags == nil {
		l.Tags = map[string]string{}
	}
	l.Tags[name] = value
}

// maxScore bounds the scores: none is proven in fewer plies than one.
const maxScore = search.MateScore

func appendLine(dst []byte, w *Writer, r *engine.Record) ([]byte, error) {
	l := line{
		Game: r.Game, Players: r.Players[:], Start: r.Start, Opening: r.OpeningPlies,
		Result: w.results[r.Outcome.Result], Reason: w.Game.ReasonName(r.Outcome.Reason),
		Moves: make([]string, 0, len(r.Actions)),
	}
	err := w.Game.Replay(w.pos, r, func(_ int, m engine.Move) { l.Moves = append(l.Moves, w.pos.FormatMove(m)) })
	if err != nil {
		return dst, err
	}
	for ply := range r.Scores {
		l.Scores = append(l.Scores, nil)
		if r.Nodes[ply] > 0 {
			l.Scores[ply] = &r.Scores[ply]
		}
	}
	for i, c := range gamerow.TagColumns() {
		if i < len(r.Tags) && r.Tags[i] != "" {
			l.addTag(c.Name, r.Tags[i])
		}
	}
	b := bytes.NewBuffer(dst)
	err = encode.NewJSON(b).Encode(l)
	return b.Bytes(), err
}
