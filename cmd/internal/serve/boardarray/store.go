package boardarray

import (
	"container/list"
	"strings"
	"sync"
	"time"
)

// Limits of a Store.
const (
	DefaultGames = 1000
	DefaultAge   = time.Hour
)

// maxID is the longest id of a game.
const maxID = 64

// Store holds games in memory. A game expires when it has not been used for a time; if the store
// is full, the game that was not used for longest makes room. Several goroutines may use it.
type Store struct {
	most int
	age  time.Duration
	now  func() time.Time

	mu    sync.Mutex
	games map[string]*list.Element
	order *list.List // of stored games, the one used last first
}

// stored is a game of a Store.
type stored struct {
	id    string
	state State
	used  time.Time
}

// NewStore returns a store of at most most games, which expire after an age without use.
func NewStore(most int, age time.Duration) *Store {
	return &Store{most: most, age: age, now: time.Now, games: map[string]*list.Element{}, order: list.New()}
}

// Set creates or sets a game.
func (s *Store) Set(id string, state State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.expire(now)
	if e := s.games[id]; e != nil {
		s.remove(e)
	}
	if s.order.Len() >= s.most {
		s.remove(s.order.Back())
	}
	s.games[id] = s.order.PushFront(&stored{id, state, now})
}

// Get returns a game, false if there is none.
func (s *Store) Get(id string) (State, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.expire(now)
	e := s.games[id]
	if e == nil {
		return State{}, false
	}
	game := e.Value.(*stored)
	game.used = now
	s.order.MoveToFront(e)
	return game.state, true
}

// expire removes the games that were not used for the age.
func (s *Store) expire(now time.Time) {
	for e := s.order.Back(); e != nil && now.Sub(e.Value.(*stored).used) >= s.age; e = s.order.Back() {
		s.remove(e)
	}
}

func (s *Store) remove(e *list.Element) {
	delete(s.games, e.Value.(*stored).id)
	s.order.Remove(e)
}

// validID reports whether a text may name a game.
func validID(id string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return id != "" && len(id) <= maxID && strings.Trim(id, letters) == ""
}
