// Package boardarray serves positions as arrays of integers over HTTP, with the members of the
// public encoding of Contrast, version 2:
//
//	GET  /api/game/{id}/board_array   the array of a game, and what its elements mean
//	POST /api/game/{id}/board_array   creates or sets the game {id}; answers with its state
//	GET  /api/game/{id}               the state of a game: position, side to move, legal moves
//
// An id is a name, or {dataset}:{game}@{ply} for a position of a game of a dataset; without @{ply}
// it is the last position. Games of datasets are read-only: POST answers 405. Other games live in
// memory, a bounded number of them, and expire: see Store.
//
// The array does not say who is to move. A POST may say it with "side"; otherwise side 0
// is to move. It may also name another "game" than Contrast, whose array is that of
// its first layout. A state has the members of `selfplay moves`.
//
//	boardarray.go  Handler: the routes
//	describe.go    the members of an array
//	store.go       Store: games in memory
package boardarray

import (
	"net/http"
	"strings"

	"github.com/jellydator/ttlcache/v3"

	"selfplay/cmd/internal/ask"
	"selfplay/cmd/internal/serve/post"
	"selfplay/cmd/internal/serve/web"
	"selfplay/encode"
)

// Handler answers the requests of this package. Several goroutines may use it.
type Handler struct {
	Known encode.Catalog // games of arrays that are set
	Games *Store
	// Find returns a position of a game of a dataset by its id. The error is one of package web.
	Find func(id string) (State, error)
}

// Routes returns the routes of the handler.
func (h *Handler) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /api/game/{id}/board_array", Handle: web.JSON(h.getArray), Failed: post.Refuse},
		{Pattern: "POST /api/game/{id}/board_array", Handle: h.postArray, Failed: post.Refuse},
		{Pattern: "GET /api/game/{id}", Handle: web.JSON(h.getState), Failed: post.Refuse},
	}
}

func (h *Handler) getArray(r *http.Request) (encode.Object, error) {
	s, err := h.find(r)
	if err != nil {
		return nil, err
	}
	return describe(&s)
}

func (h *Handler) getState(r *http.Request) (encode.Object, error) {
	s, err := h.find(r)
	if err != nil {
		return nil, err
	}
	return stateOf(&s)
}

func (h *Handler) postArray(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if strings.Contains(id, ":") {
		w.Header().Set("Allow", "GET, HEAD")
		return web.Errorf(http.StatusMethodNotAllowed, "games of datasets are read-only: POST the array to a game with a name of its own")
	}
	if !validID(id) {
		return web.BadRequest("id of a game: want 1 to %d letters, digits, - and _", maxID)
	}
	var q request
	if err := post.Read(w, r, &q); err != nil {
		return err
	}
	s, err := q.state(h.Known)
	if err != nil {
		return err
	}
	h.Games.Set(id, s, ttlcache.DefaultTTL)
	state, err := stateOf(&s)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, state)
}

// request is the body of a POST.
type request struct {
	Array  []int  `json:"board_array"`
	Game   string `json:"game"`   // "" for Contrast
	Side   string `json:"side"`   // to move; "" for side 0
	Strict bool   `json:"strict"` // refuse an array of version 1 that leaves part of the position unknown
}

// defaultGame is the game of the public encoding.
const defaultGame = "contrast"

// state returns the position of a request.
func (q *request) state(known encode.Catalog) (s State, err error) {
	if q.Array == nil {
		return s, web.BadRequest(`no array: want {"board_array":[...]}`)
	}
	if q.Game == "" {
		q.Game = defaultGame
	}
	if s.Game, err = known.Find(q.Game); err != nil {
		return s, post.Invalid(err)
	}
	if q.Side == "" {
		q.Side = s.Game.Sides[0]
	}
	pos, place := s.Game.New(""), ask.Position{Array: q.Array, Side: q.Side}
	if err := place.Set(pos, &s.Game, q.Strict); err != nil {
		return s, post.Invalid(err)
	}
	s.Text = pos.String()
	return s, nil
}

// find returns the position that a request names.
func (h *Handler) find(r *http.Request) (State, error) {
	id := r.PathValue("id")
	if strings.Contains(id, ":") {
		return h.Find(id)
	}
	if item := h.Games.Get(id); item != nil {
		return item.Value(), nil
	}
	return State{}, web.NotFound("no game %.100q: it was never set, or it has expired", id)
}

// stateOf returns the members of `selfplay moves`.
func stateOf(s *State) (encode.Object, error) {
	q := ask.Question{Position: ask.Position{Text: s.Text}}
	a, err := ask.NewResponder(s.Game, s.Variant, false).Answer(&q)
	return append(encode.Object{{Name: "game", Value: s.Game.Name}}, a...), err
}
