package enginetest

import (
	"strings"

	"selfplay/engine"
)

// sink keeps the compiler from removing an allocation.
var sink []engine.Move

type movesAllocates struct{ *nim }

func (b *movesAllocates) Moves(dst []engine.Move) []engine.Move {
	sink = b.nim.Moves(nil)
	return append(dst, sink...)
}

type duplicateMove struct{ *nim }

func (b *duplicateMove) Moves(dst []engine.Move) []engine.Move {
	n := len(dst)
	list := b.nim.Moves(dst)
	if len(list) > n {
		list = append(list, list[n])
	}
	return list
}

type movesOverwrites struct{ *nim }

func (b *movesOverwrites) Moves(dst []engine.Move) []engine.Move { return b.nim.Moves(dst[:0]) }

type neverEnds struct{ *nim }

func (b *neverEnds) Outcome() engine.Outcome { return engine.Ongoing }

type countOmitsPile struct{ *nim }

func (b *countOmitsPile) Count() int { return b.nim.Count() - int(b.piles[2]) }

type ambiguousText struct{ *nim }

func (b *ambiguousText) FormatMove(m engine.Move) string { return b.nim.FormatMove(m &^ 1) }

type lenientParser struct{ *nim }

func (b *lenientParser) ParseMove(text string) (engine.Move, error) {
	return b.nim.ParseMove(strings.TrimRight(text, " "))
}

type hashOmitsPile struct{ *nim }

func (b *hashOmitsPile) Hash() uint64 { return uint64(b.piles[0])<<8 | uint64(b.piles[1]) }

type hashOmitsSide struct{ *nim }

func (b *hashOmitsSide) Hash() uint64 {
	return uint64(b.piles[0])<<16 | uint64(b.piles[1])<<8 | uint64(b.piles[2])
}

type undoReorders struct {
	*nim
	undone int
}

func (b *undoReorders) Undo() {
	b.nim.Undo()
	b.undone++
}

func (b *undoReorders) Moves(dst []engine.Move) []engine.Move {
	n := len(dst)
	list := b.nim.Moves(dst)
	if b.undone%7 == 1 && len(list) > n+1 {
		list[n], list[n+1] = list[n+1], list[n]
	}
	return list
}

type undoLosesPiece struct{ *nim }

func (b *undoLosesPiece) Undo() {
	m := b.played[len(b.played)-1]
	b.nim.Undo()
	if m == 2<<8|1 {
		b.piles[2]--
	}
}

type undoAtStart struct{ *nim }

func (b *undoAtStart) Undo() {
	if len(b.played) > 0 {
		b.nim.Undo()
	}
}
