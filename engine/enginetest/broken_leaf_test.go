package enginetest

import "selfplay/engine"

type leafIgnoresMove struct{ *nim }

func (b *leafIgnoresMove) ScoreAfter(m engine.Move) (score int, ok bool) {
	return -b.Evaluate(), !b.after(m).Check()
}

func (b *leafIgnoresMove) HashAfter(m engine.Move) (hash uint64, ok bool) {
	after := b.after(m)
	return after.Hash(), !after.Check()
}

type leafOmitsSide struct{ *nim }

func (b *leafOmitsSide) HashAfter(m engine.Move) (hash uint64, ok bool) {
	hash, ok = b.nim.HashAfter(m)
	return hash + 1, ok
}

type leafWithoutScore struct{ *nim }

func (b *leafWithoutScore) HashAfter(m engine.Move) (hash uint64, ok bool) {
	return b.after(m).Hash(), true
}

type leafGivesCheck struct{ *nim }

func (b *leafGivesCheck) ScoreAfter(m engine.Move) (score int, ok bool) {
	return -b.Evaluate(), b.after(m).piles[m>>8] > 0
}

func (b *leafGivesCheck) HashAfter(m engine.Move) (hash uint64, ok bool) {
	after := b.after(m)
	return after.Hash(), after.piles[m>>8] > 0
}

type leafEndsGame struct{ drawnNim }

func (b *leafEndsGame) Check() bool { return false }

func (b *leafEndsGame) ScoreAfter(m engine.Move) (score int, ok bool) {
	return -b.Evaluate(), b.after(m).piles[m>>8] > 0
}

type leafKeepsTurn struct{ *nim }

func (b *leafKeepsTurn) Turn() engine.Side { return engine.First }

type leafNeverRepeats struct{ *nim }

func (b *leafNeverRepeats) Hash() uint64 { return 1 }

func (b *leafNeverRepeats) HashAfter(m engine.Move) (hash uint64, ok bool) {
	_, ok = b.nim.HashAfter(m)
	return 1, ok
}

func (b *leafNeverRepeats) RepeatsAfter(engine.Move) bool { return false }
