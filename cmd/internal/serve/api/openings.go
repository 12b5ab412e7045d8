package api

import (
	"net/http"

	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets/gameindex"
)

// movesByDefault is the number of next moves of an answer.
const movesByDefault = 12

// Openings says how games go on after an opening.
type Openings struct {
	Index Index      `json:"index"`
	Next  []NextMove `json:"next"` // the most frequent first
}

// NextMove is a move that games play after an opening.
type NextMove struct {
	Move    string         `json:"move"`
	Games   int            `json:"games"`
	Results map[string]int `json:"results"` // games by result; "" for games that were cut off
}

func (a *API) getOpenings(w http.ResponseWriter, r *http.Request) error {
	d, q, err := a.query(r, noSearch)
	if err != nil {
		return err
	}
	index, next, err := a.Games.Continuations(r.Context(), d, &q, movesByDefault)
	if err != nil {
		return err
	}
	b := builder{d, index}
	out := Openings{b.status(), []NextMove{}}
	for _, c := range next {
		move, err := b.nextMove(q.Opening, c)
		if err != nil {
			return err
		}
		out.Next = append(out.Next, move)
	}
	return web.WriteJSON(w, http.StatusOK, out)
}

// nextMove describes a move after an opening.
func (b builder) nextMove(opening []string, c gameindex.Continuation) (m NextMove, err error) {
	actions, err := b.index.Opening(opening)
	if err != nil {
		return m, err
	}
	line, err := b.index.OpeningTexts(append(actions, c.Action))
	if err != nil {
		return m, err
	}
	m = NextMove{line[len(line)-1], c.Games, map[string]int{}}
	for result, n := range c.Results {
		m.Results[b.result(result)] = n
	}
	return m, nil
}
