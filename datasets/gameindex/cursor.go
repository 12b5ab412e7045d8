package gameindex

import (
	"errors"
	"fmt"
)

// ErrCursor: no search returned this cursor.
var ErrCursor = errors.New("continue search")

// cursor is where a search continues: at a group of a shard, with the games from row on. Shards are
// numbered as in the dataset, so that a cursor stays valid when shards are added.
type cursor struct{ shard, group, row int }

// String returns the text of the cursor.
func (c cursor) String() string { return fmt.Sprintf("%d.%d.%d", c.shard, c.group, c.row) }

// parseCursor is the inverse of String. "" is the beginning.
func parseCursor(text string) (c cursor, err error) {
	if text == "" {
		return c, nil
	}
	_, err = fmt.Sscanf(text, "%d.%d.%d", &c.shard, &c.group, &c.row)
	if err != nil || c.String() != text || c.shard < 0 || c.group < 0 || c.row < 0 {
		return c, fmt.Errorf("%w at %.40q: want the cursor of an earlier search", ErrCursor, text)
	}
	return c, nil
}
