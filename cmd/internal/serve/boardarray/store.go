package boardarray

import (
	"strings"
	"time"

	"github.com/jellydator/ttlcache/v3"
)

// Limits of a Store.
const (
	DefaultGames = 1000
	DefaultAge   = time.Hour
)

// maxID is the longest id of a game.
const maxID = 64

// Store holds games in memory, by their ids. Several goroutines may use it.
type Store = ttlcache.Cache[string, State]

// NewStore returns a store of at most most games: then the game that was not used for longest makes
// room. A game expires when it has not been used for an age.
func NewStore(most uint64, age time.Duration) *Store {
	return ttlcache.New(ttlcache.WithCapacity[string, State](most), ttlcache.WithTTL[string, State](age))
}

// validID reports whether a text may name a game.
func validID(id string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return id != "" && len(id) <= maxID && strings.Trim(id, letters) == ""
}
