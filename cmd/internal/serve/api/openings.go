package api

import "selfplay/datasets/gameindex"

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

func (a *API) getOpenings(q question) (out Openings, err error) {
	q.noSearch()
	wanted, err := q.query()
	if err != nil {
		return out, err
	}
	index, next, err := a.Games.Continuations(q.Context(), q.Dataset, wanted, movesByDefault)
	if err != nil {
		return out, err
	}
	b := builder{q.Dataset, index}
	out = Openings{b.status(), []NextMove{}}
	for _, c := range next {
		move, err := b.nextMove(wanted.Opening, c)
		if err != nil {
			return out, err
		}
		out.Next = append(out.Next, move)
	}
	return out, nil
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
