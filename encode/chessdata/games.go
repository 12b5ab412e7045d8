package chessdata

import (
	"errors"
	"fmt"
	"io"

	"selfplay/engine"
)

// RowError is the error of a position that cannot be taken. The positions after it can be read.
type RowError struct {
	Err  error
	Line int // of the text; 0 in other formats
}

func (e *RowError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return e.Err.Error()
}
func (e *RowError) Unwrap() error { return e.Err }

func isRowError(err error) bool { return errors.As(err, new(*RowError)) }

// GameReader reads positions that are stored one by one as games. A position continues a game if
// it is the one after the move of the position before, clocks included, with the same result of
// the game. It belongs to one goroutine.
//
// A position that cannot be taken makes its game bad. What follows it is known no more, so a bad
// game goes on as long as plies and results do.
type GameReader struct {
	rows interface {
		Read() (Row, error)
		place() int // of the last position
	}
	most  int   // moves of a game; the rest is not kept
	row   Row   // with which the next game begins
	at    int   // its place
	bad   error // why it cannot be taken
	end   error // if there is none
	begun bool
}

// NewBinpackGames returns a reader of the games in binpack. Places are numbers of positions,
// from 1.
func NewBinpackGames(r io.Reader) *GameReader {
	return &GameReader{rows: NewBinpackReader(r), most: maxMoves}
}

// NewPlainGames returns a reader of the games in plain text. Places are lines.
func NewPlainGames(r io.Reader) *GameReader {
	return &GameReader{rows: NewPlainReader(r), most: maxMoves}
}

// Read reads the next game into g, whose memory it reuses, and returns the place of its first
// position. After the last game the error is io.EOF. With a *RowError, g has the moves before
// the position that cannot be taken, and the next game can be read.
func (r *GameReader) Read(g *Game) (place int, err error) {
	if !r.begun {
		r.begun = true
		r.advance()
	}
	if r.end != nil {
		return 0, r.end
	}
	place, first := r.at, r.row
	*g = Game{Start: first.Position, Moves: g.Moves[:0], Scores: g.Scores[:0], Result: first.gameResult()}
	for {
		if err == nil {
			err = r.addTo(g)
		}
		last := r.row
		r.advance()
		if r.end != nil || !r.row.continues(&last, err != nil || r.bad != nil) {
			return place, err
		}
	}
}

// advance reads the next position.
func (r *GameReader) advance() {
	row, err := r.rows.Read()
	r.row, r.at, r.bad = row, r.rows.place(), nil
	if isRowError(err) {
		r.bad = err
	} else {
		r.end = err
	}
}

// addTo adds the move of the position to a game.
func (r *GameReader) addTo(g *Game) error {
	switch {
	case r.bad != nil:
		return r.bad
	case len(g.Moves) == r.most:
		return &RowError{Err: fmt.Errorf("the game has more than %d moves", r.most)}
	}
	g.Moves = append(g.Moves, r.row.Move)
	g.Scores = append(g.Scores, r.row.Score)
	return nil
}

// continues reports whether a row continues the game of the row before. Of a bad game only plies
// and results are compared.
func (r *Row) continues(last *Row, bad bool) bool {
	if r.Result != -last.Result {
		return false
	}
	if bad {
		return plyOf(&r.Position) == plyOf(&last.Position)+1
	}
	next, ok := last.next()
	return ok && r.Position == next
}

// gameResult returns the result of the game from the view of White.
func (r *Row) gameResult() engine.Result {
	switch r.Result {
	case 1:
		return engine.Win(r.Position.Turn)
	case -1:
		return engine.Win(r.Position.Turn.Other())
	}
	return engine.Draw
}
