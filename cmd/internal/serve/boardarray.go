package serve

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/jellydator/ttlcache/v3"

	"selfplay/cmd/internal/ask"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/encode"
)

// boardArrays serves positions as arrays of integers over HTTP, with the members of the public
// encoding of Contrast, version 2:
//
//	GET  /api/game/{id}/board_array   the array of a game, and what its elements mean
//	POST /api/game/{id}/board_array   creates or sets the game {id}; answers with its state
//	GET  /api/game/{id}               the state of a game: position, side to move, legal moves
//
// An id is a name, or {dataset}:{game}@{ply} for a position of a game of a dataset; without @{ply}
// it is the last position. Games of datasets are read-only: POST answers 405. Other games live in
// memory, a bounded number of them, and expire: see boardStore.
//
// The array does not say who is to move. A POST may say it with "side"; otherwise side 0
// is to move. It may also name another "game" than Contrast, whose array is that of
// its first layout. A state has the members of `selfplay moves`.
//
// Several goroutines may use it.
type boardArrays struct {
	known encode.Catalog // games of arrays that are set
	games *boardStore
	// ofDataset returns a position of a game of a dataset by its id. The error is one for clients.
	ofDataset func(id string) (boardState, error)
}

// routes returns the routes of the handler.
func (h *boardArrays) routes() []route {
	return []route{
		{pattern: "GET /api/game/{id}/board_array", handle: answerJSON(h.getArray), failed: refuse},
		{pattern: "POST /api/game/{id}/board_array", handle: h.postArray, failed: refuse},
		{pattern: "GET /api/game/{id}", handle: answerJSON(h.getState), failed: refuse},
	}
}

func (h *boardArrays) getArray(r *http.Request) (encode.Object, error) {
	s, err := h.find(r)
	if err != nil {
		return nil, err
	}
	return describeArray(&s)
}

func (h *boardArrays) getState(r *http.Request) (encode.Object, error) {
	s, err := h.find(r)
	if err != nil {
		return nil, err
	}
	return stateOf(&s)
}

func (h *boardArrays) postArray(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if strings.Contains(id, ":") {
		w.Header().Set("Allow", "GET, HEAD")
		return catalog.Errorf(http.StatusMethodNotAllowed, "games of datasets are read-only: POST the array to a game with a name of its own")
	}
	if !validBoardID(id) {
		return catalog.BadRequest("id of a game: want 1 to %d letters, digits, - and _", maxBoardID)
	}
	var q arrayRequest
	if err := readBody(w, r, &q); err != nil {
		return err
	}
	s, err := q.state(h.known)
	if err != nil {
		return err
	}
	h.games.Set(id, s, ttlcache.DefaultTTL)
	state, err := stateOf(&s)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, state)
}

// arrayRequest is the body of a POST.
type arrayRequest struct {
	Array  []int  `json:"board_array"`
	Game   string `json:"game"`   // "" for Contrast
	Side   string `json:"side"`   // to move; "" for side 0
	Strict bool   `json:"strict"` // refuse an array of version 1 that leaves part of the position unknown
}

// defaultGame is the game of the public encoding.
const defaultGame = "contrast"

// state returns the position of a request.
func (q *arrayRequest) state(known encode.Catalog) (s boardState, err error) {
	if q.Array == nil {
		return s, catalog.BadRequest(`no array: want {"board_array":[...]}`)
	}
	if q.Game == "" {
		q.Game = defaultGame
	}
	if s.Game, err = known.Find(q.Game); err != nil {
		return s, invalid(err)
	}
	if q.Side == "" {
		q.Side = s.Game.Sides[0]
	}
	pos, place := s.Game.New(""), ask.Position{Array: q.Array, Side: q.Side}
	if err := place.Set(pos, &s.Game, q.Strict); err != nil {
		return s, invalid(err)
	}
	s.Text = pos.String()
	return s, nil
}

// find returns the position that a request names.
func (h *boardArrays) find(r *http.Request) (boardState, error) {
	id := r.PathValue("id")
	if strings.Contains(id, ":") {
		return h.ofDataset(id)
	}
	if item := h.games.Get(id); item != nil {
		return item.Value(), nil
	}
	return boardState{}, catalog.NotFound("no game %.100q: it was never set, or it has expired", id)
}

// stateOf returns the members of `selfplay moves`.
func stateOf(s *boardState) (encode.Object, error) {
	q := ask.Question{Position: ask.Position{Text: s.Text}}
	a, err := ask.NewResponder(s.Game, s.Variant, false).Answer(&q)
	return append(encode.Object{{Name: "game", Value: s.Game.Name}}, a...), err
}

// boardState is a position of a game.
type boardState struct {
	Game    encode.Game
	Variant string
	Text    string // of the position
}

// notArray are members that the layout of Contrast adds to a position and that are not part of
// the public encoding.
var notArray = map[string]bool{"reachable": true}

// describeArray returns the array of a position: the members of the public encoding of Contrast, and
// the same members for other games as far as they mean something there. Only Contrast has tiles.
func describeArray(s *boardState) (o encode.Object, err error) {
	pos := s.Game.New(s.Variant)
	if s.Text != "" {
		if err := pos.Set(s.Text); err != nil {
			return nil, err
		}
	}
	l := &s.Game.Layouts[0]
	values := l.Encode(nil, pos)
	if l.Members != nil {
		for _, m := range l.Members(values, pos.Turn()) {
			if !notArray[m.Name] {
				o = append(o, m)
			}
		}
		return o, nil
	}
	o.Add("board_array", l.Values(nil, values))
	o.Add("encoding", l.Elements[0].Doc)
	o.Add("size", l.Len())
	o.Add("format", "row-major")
	o.Add("structure", arrayStructure(l))
	return o, nil
}

// arrayStructure returns the places of the elements, as the public encoding writes them.
func arrayStructure(l *encode.Layout) (o encode.Object) {
	at := 0
	for i, e := range l.Elements {
		name := e.Name
		if i == 0 {
			name = "board_cells"
		}
		place := fmt.Sprintf("[%d]", at)
		if e.Count > 1 {
			place = fmt.Sprintf("[%d-%d]", at, at+e.Count-1)
		}
		o.Add(name, place)
		at += e.Count
	}
	return o
}

// Limits of a boardStore.
const (
	maxBoards = 1000
	boardAge  = time.Hour
)

// maxBoardID is the longest id of a game.
const maxBoardID = 64

// boardStore holds games in memory, by their ids. Several goroutines may use it.
type boardStore = ttlcache.Cache[string, boardState]

// newBoardStore returns a store of at most limit games: then the game that was not used for longest makes
// room. A game expires when it has not been used for an age.
func newBoardStore(limit uint64, age time.Duration) *boardStore {
	return ttlcache.New(ttlcache.WithCapacity[string, boardState](limit), ttlcache.WithTTL[string, boardState](age))
}

// validBoardID reports whether a text may name a game.
func validBoardID(id string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return id != "" && len(id) <= maxBoardID && strings.Trim(id, letters) == ""
}
