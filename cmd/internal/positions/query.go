package positions

import (
	"encoding/binary"
	"fmt"
	"strings"

	"selfplay/engine"
)

// flagHeld is a flag of a search: the positions are those of the batch that are named, with their history.
const flagHeld = 16

// query is a search that is asked for.
type query struct {
	mover bool     // actions are those that the side to move sees
	seeds []uint64 // of the random choices in each position
	texts []string // of the positions, or
	seats []*seat  // of the batch
	batch *batch   // of the seats
}

// readQuery reads the body of a search. batch may be nil.
func readQuery(body []byte, b *batch) (*query, *refusal) {
	if len(body) < 8 {
		return nil, refuse(-1, "a search of %d bytes: want at least 8", len(body))
	}
	n, flags := int(binary.LittleEndian.Uint32(body)), binary.LittleEndian.Uint32(body[4:])
	if n < 1 || n > MaxPositions || flags&^(flagMover|flagHeld) != 0 || len(body) < 8+8*n {
		return nil, refuse(-1, "a search of %d positions, flags %d, %d bytes: want 1 to %d positions and a seed of each", n, flags, len(body), MaxPositions)
	}
	q := &query{mover: flags&flagMover != 0, seeds: make([]uint64, n)}
	for i := range q.seeds {
		q.seeds[i] = binary.LittleEndian.Uint64(body[8+8*i:])
	}
	body = body[8+8*n:]
	if flags&flagHeld != 0 {
		return q, q.readSeats(body, b)
	}
	q.texts = strings.Split(strings.TrimSuffix(string(body), "\n"), "\n")
	if len(q.texts) != n {
		return nil, refuse(-1, "a search with %d texts: want %d", len(q.texts), n)
	}
	return q, nil
}

// readSeats reads the indexes of positions of the batch. None comes twice: several goroutines search.
func (q *query) readSeats(body []byte, b *batch) *refusal {
	if b == nil {
		return refuse(-1, "a search before the positions have begun")
	}
	if len(body) != 4*len(q.seeds) {
		return refuse(-1, "a search with %d bytes of indexes: want %d", len(body), 4*len(q.seeds))
	}
	q.batch, q.mover = b, b.flags&flagMover != 0
	last := -1
	for i := range q.seeds {
		index := int(binary.LittleEndian.Uint32(body[4*i:]))
		if index <= last || index >= len(b.seats) {
			return refuse(-1, "a search of position %d after %d: want ascending ones below %d", index, last, len(b.seats))
		}
		q.seats, last = append(q.seats, &b.seats[index]), index
	}
	return nil
}

// check refuses the first text that is no position.
func (q *query) check(p engine.Position) *refusal {
	for i, text := range q.texts {
		if err := set(p, text); err != nil {
			return refuse(i, "position %d: %v", i, err)
		}
	}
	return nil
}

// set sets up a text, and plays the moves after it, each of which follows a tab: they are the history of the position.
func set(p engine.Position, text string) error {
	words := strings.Split(text, "\t") // a move of Contrast contains a space
	if err := engine.Begin(p, words[0]); err != nil {
		return err
	}
	for _, move := range words[1:] {
		m, err := p.ParseMove(move)
		if err != nil {
			return fmt.Errorf("play %.100q: %w", move, err)
		}
		p.Do(m)
	}
	return nil
}

// position returns a position to search, and whether its game is over. Those of texts are set up in p.
func (q *query) position(i int, p engine.Position) (_ engine.Position, over bool, err error) {
	if q.seats != nil {
		s := q.seats[i]
		return s.pos, q.batch.over(s), nil
	}
	if err := set(p, q.texts[i]); err != nil {
		return nil, false, err
	}
	return p, p.Outcome() != engine.Ongoing, nil
}
