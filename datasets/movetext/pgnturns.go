package movetext

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
)

// PGN of games whose notation writes turns (engine.TurnNotation). The text of a turn may stand for several, so the moves are
// played when all texts are known: every turn that fits is tried, and those count with which the rest of the game can be
// played. A comment [%steps ...] behind a turn has its moves in the notation of programs.

// turnItem is the text of a turn, or a comment.
type turnItem struct {
	text    []byte
	begin   int // offset
	comment bool
}

// turnReader finds the moves of the turns of a game.
type turnReader struct {
	pos   engine.TurnNotation
	items []turnItem // of the game, in order
	turns []turnItem // those that are turns
	steps [][]byte   // the moves that a comment states, by turn; nil for most

	path    []choice
	found   [][]engine.Move
	several int // the first turn of which two readings are left, -1 if there is none
	reads   int
	fault   turnFault
}

// turnFault says why no moves are found: at which turn, of the readings that lead farthest.
type turnFault struct {
	turn int  // -1: none was read
	fits bool // the turn itself is legal
	err  error
}

// before reports whether a fault comes before another one, or in the same place.
func (f *turnFault) before(o *turnFault) bool {
	return f.turn < o.turn || f.turn == o.turn && (o.fits || !f.fits)
}

// choice is a turn with the readings of its text.
type choice struct {
	readings [][]engine.Move
	next     int // the one to try next
}

func (t *turnReader) reset() {
	t.items, t.turns, t.steps = t.items[:0], t.turns[:0], t.steps[:0]
}

// add adds a text of a turn or a comment.
func (t *turnReader) add(item turnItem) {
	t.items = append(t.items, item)
	if !item.comment {
		t.turns, t.steps = append(t.turns, item), append(t.steps, nil)
		return
	}
	steps, ok := cutCommand(item.text, "[%steps ")
	if ok && len(t.turns) > 0 {
		t.steps[len(t.turns)-1] = steps
	}
}

// cutCommand returns what stands in a comment behind the name of a command, up to its bracket.
func cutCommand(comment []byte, name string) ([]byte, bool) {
	_, rest, _ := bytes.Cut(comment, []byte(name))
	return bytes.CutSuffix(rest[:bytes.IndexByte(rest, ']')+1], []byte{']'})
}

// find finds the readings of all turns from the position on, which it restores. The moves of the last turn must satisfy
// fitsEnd. It returns the fault, without an error if there is none.
func (t *turnReader) find(fitsEnd func(turn []engine.Move, text string) error) turnFault {
	t.path, t.found, t.several, t.reads, t.fault = t.path[:0], nil, -1, 0, turnFault{turn: -1}
	t.path = append(t.path, t.choiceAt(0, fitsEnd))
	for len(t.path) > 0 {
		c := &t.path[len(t.path)-1]
		if c.next > 0 {
			for range c.readings[c.next-1] {
				t.pos.Undo()
			}
		}
		if c.next == len(c.readings) || t.several >= 0 || t.reads > maxReads(len(t.turns)) {
			t.path = t.path[:len(t.path)-1]
			continue
		}
		for _, m := range c.readings[c.next] {
			t.pos.Do(m)
		}
		c.next++
		if len(t.path) < len(t.turns) {
			t.path = append(t.path, t.choiceAt(len(t.path), fitsEnd))
		} else {
			t.keep()
		}
	}
	switch {
	case t.several >= 0:
		return turnFault{t.several, true, fmt.Errorf("turn %d: %q fits several turns, with each of which the rest of the game can be played", t.several+1, t.turns[t.several].text)}
	case t.reads > maxReads(len(t.turns)):
		return turnFault{0, true, errors.New("the texts of too many turns fit several")}
	case t.found == nil:
		return t.fault
	}
	return turnFault{}
}

// maxReads bounds the work for a game: most texts fit one turn.
func maxReads(turns int) int { return 4*turns + 10_000 }

// keep keeps the readings of all turns, or notes where they differ from those that were found before.
func (t *turnReader) keep() {
	if t.found == nil {
		for _, c := range t.path {
			t.found = append(t.found, c.readings[c.next-1])
		}
		return
	}
	for i, c := range t.path {
		if !slices.Equal(t.found[i], c.readings[c.next-1]) {
			t.several = i
			return
		}
	}
}

// choiceAt returns the readings of a turn that begins on the board.
func (t *turnReader) choiceAt(turn int, fitsEnd func([]engine.Move, string) error) choice {
	t.reads++
	text := strings.TrimRight(string(t.turns[turn].text), "!?#+")
	readings, err := t.read(text, t.steps[turn])
	fault := turnFault{turn, len(readings) > 0, err}
	if turn == len(t.turns)-1 && err == nil {
		readings = slices.DeleteFunc(readings, func(m []engine.Move) bool {
			other := fitsEnd(m, text)
			if other != nil {
				fault.err = fmt.Errorf("tag FEN: %w", other)
			}
			return other != nil
		})
	}
	if len(readings) == 0 && t.fault.turn < turn {
		t.fault = fault
	}
	return choice{readings: readings}
}

// read returns the readings of a text, or the moves of a comment if there is one.
func (t *turnReader) read(text string, steps []byte) (readings [][]engine.Move, err error) {
	if steps == nil {
		return t.pos.ReadTurn(text)
	}
	var moves []engine.Move
	us := t.pos.Turn()
	for step := range strings.FieldsSeq(string(steps)) {
		m, bad := t.pos.ParseMove(step)
		if bad == nil && t.pos.Turn() != us {
			bad = fmt.Errorf("parse move %q: the turn is over", step)
		}
		if bad != nil {
			err = bad
			break
		}
		t.pos.Do(m)
		moves = append(moves, m)
	}
	for range moves {
		t.pos.Undo()
	}
	if err == nil && len(moves) == 0 {
		err = errors.New("the comment [%steps] has no moves")
	}
	if err != nil {
		return nil, err
	}
	said, _ := t.pos.TurnSAN(moves)
	if said != text {
		return nil, fmt.Errorf("the comment [%%steps] has the moves of %s, not of %s", said, text)
	}
	return [][]engine.Move{moves}, nil
}

// playTurns finds the start and the moves of the game and plays them into the record.
func (p *pgnParser) playTurns(r *engine.Record) error {
	if len(p.turns.turns) == 0 {
		start, err := p.begin(p.fen())
		if err != nil {
			return p.t.fault(0, fmt.Errorf("tag FEN: %w", err))
		}
		r.Start = start
		return nil
	}
	if len(p.turns.turns) > maxPlies {
		return p.t.fault(p.turns.turns[maxPlies].begin, errTooLong)
	}
	err := p.findTurns(r)
	if err != nil {
		return err
	}
	turn, begin, side := 0, 0, p.pos.Turn()
	for _, item := range p.turns.items {
		if item.comment {
			p.readScores(item.text, item.begin, len(r.Actions))
			p.readStepScores(item.text, begin, len(r.Actions), side)
			continue
		}
		begin, side = len(r.Actions), p.pos.Turn()
		for _, m := range p.turns.found[turn] {
			if len(r.Actions) == maxPlies {
				return p.t.fault(item.begin, errTooLong)
			}
			p.play(m, r)
		}
		turn++
	}
	return nil
}

// fen returns the tag FEN, "" if it is not in force.
func (p *pgnParser) fen() string {
	if string(p.tags["SetUp"]) == "0" {
		return ""
	}
	return string(p.tags["FEN"])
}

// findTurns finds the start of the game and the moves of its turns. The tag FEN of this program is the start. That of
// others may tell how the game ends (engine.EndReader), and their games have no tag Variant: there, the tag is the start only
// if it is not the end.
func (p *pgnParser) findTurns(r *engine.Record) error {
	type attempt struct{ start, end string }
	fen := p.fen()
	tries := []attempt{{fen, ""}}
	reader, readsEnds := p.pos.(engine.EndReader)
	switch {
	case fen == "" || !readsEnds:
	case len(p.tags["Variant"]) > 0:
		tries = append(tries, attempt{"", fen})
	default:
		tries = []attempt{{"", fen}, {fen, ""}}
	}
	fault := turnFault{turn: -1}
	for _, try := range tries {
		start, err := p.begin(try.start)
		f := turnFault{turn: -1, err: fmt.Errorf("tag FEN: %w", err)}
		if err == nil {
			f = p.turns.find(func(turn []engine.Move, text string) error {
				if try.end == "" {
					return nil
				}
				return reader.EndsIn(try.end, turn, text)
			})
		}
		if f.err == nil {
			r.Start = start
			return nil
		}
		if fault.before(&f) {
			fault = f
		}
		if p.turns.several >= 0 {
			break
		}
	}
	return p.t.fault(p.turns.turns[max(fault.turn, 0)].begin, fault.err)
}

// turnWordLen returns the length of the word, at least 1, with which a text begins. A stack in brackets is part of it:
// (NT)<F>e6.
func turnWordLen(text []byte) int {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '(' && stackLen(text[i:]) > 0:
			i += stackLen(text[i:])
		case endsWord[c] && (c != '<' || i == 0):
			return max(i, 1)
		default:
			i++
		}
	}
	return len(text)
}

// stackLen returns the length of a stack with which a text begins, such as (N+F), or 0. A variation is none.
func stackLen(text []byte) int {
	if len(text) == 0 || text[0] != '(' {
		return 0
	}
	letters := len(bytes.TrimLeft(text[1:], "+ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	end := len(text) - letters
	if end < 3 || letters == 0 || text[end] != ')' {
		return 0
	}
	return end + 1
}
