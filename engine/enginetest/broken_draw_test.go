package enginetest

import (
	"math/rand/v2"

	"selfplay/engine"
)

type drawAllocates struct{ *nim }

func (b *drawAllocates) DoRandom(src *rand.PCG) (engine.Move, bool) {
	sink = make([]engine.Move, 1)
	return b.nim.DoRandom(src)
}

type drawPasses struct{ *nim }

func (b *drawPasses) DoRandom(src *rand.PCG) (engine.Move, bool) {
	const pass engine.Move = 2 << 8 // takes nothing from the last pile
	if b.piles[2] != 3 || b.turn == engine.Second {
		return b.nim.DoRandom(src)
	}
	b.Do(pass)
	return pass, true
}

type drawReturnsOther struct{ *nim }

func (b *drawReturnsOther) DoRandom(src *rand.PCG) (engine.Move, bool) {
	first := b.nim.Moves(nil)
	m, ok := b.nim.DoRandom(src)
	if ok {
		m = first[0]
	}
	return m, ok
}

type drawFailsEarly struct{ *nim }

func (b *drawFailsEarly) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if b.piles[2] == 0 {
		return 0, false
	}
	return b.nim.DoRandom(src)
}

type outcomeWithoutReason struct{ *nim }

func (b *outcomeWithoutReason) Outcome() engine.Outcome {
	return engine.Outcome{Result: b.nim.Outcome().Result}
}

type drawDependsOnMoves struct {
	*nim
	listed int
}

func (b *drawDependsOnMoves) Moves(dst []engine.Move) []engine.Move {
	b.listed++
	return b.nim.Moves(dst)
}

func (b *drawDependsOnMoves) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if b.listed%2 == 1 {
		src.Uint64()
	}
	return b.nim.DoRandom(src)
}

type drawFavoursFirst struct{ *nim }

func (b *drawFavoursFirst) DoRandom(src *rand.PCG) (engine.Move, bool) {
	list := b.nim.Moves(b.list[:0])
	b.list = list
	if len(list) == 0 {
		return 0, false
	}
	m := list[max(1, src.Uint64()%uint64(len(list)+1))-1]
	b.Do(m)
	return m, true
}

type drawOmitsLast struct{ *nim }

func (b *drawOmitsLast) DoRandom(src *rand.PCG) (engine.Move, bool) {
	list := b.nim.Moves(b.list[:0])
	b.list = list
	if len(list) == 0 {
		return 0, false
	}
	m := list[src.Uint64()%uint64(max(len(list)-1, 1))]
	b.Do(m)
	return m, true
}

type samplerReturnsOther struct{ *nim }

func (b *samplerReturnsOther) doWhole(src *rand.PCG, value engine.Fraction) (engine.Move, bool) {
	m, ok := b.nim.doWhole(src, value)
	return m + 1, ok
}

type samplerFailsEarly struct{ *nim }

func (b *samplerFailsEarly) doWhole(src *rand.PCG, value engine.Fraction) (engine.Move, bool) {
	if len(b.played) > 3 {
		return 0, false
	}
	return b.nim.doWhole(src, value)
}

type samplerDependsOnMoves struct {
	*nim
	listed uint64
}

func (b *samplerDependsOnMoves) Moves(dst []engine.Move) []engine.Move {
	b.listed++
	return b.nim.Moves(dst)
}

func (b *samplerDependsOnMoves) doWhole(src *rand.PCG, value engine.Fraction) (engine.Move, bool) {
	if b.listed&1 == 1 {
		src.Uint64()
	}
	return b.nim.doWhole(src, value)
}

type samplerAllocates struct{ *nim }

func (b *samplerAllocates) doWhole(src *rand.PCG, value engine.Fraction) (engine.Move, bool) {
	sink = make([]engine.Move, 1)
	return b.nim.doWhole(src, value)
}
