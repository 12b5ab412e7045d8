package enginetest

import "selfplay/engine"

type leafIgnoresMove struct{ *nim }

func (b *leafIgnoresMove) ScoreAfter(m engine.Move) (score int, ok bool) {
	after := *b.nim
	after.piles[m>>8] -= uint8(m)
	return b.Evaluate(), !after.Check()
}

type leafGivesCheck struct{ *nim }

func (b *leafGivesCheck) ScoreAfter(m engine.Move) (score int, ok bool) {
	return b.Evaluate(), uint8(m) < b.piles[m>>8]
}

type leafEndsGame struct{ drawnNim }

func (b *leafEndsGame) Check() bool { return false }

func (b *leafEndsGame) ScoreAfter(m engine.Move) (score int, ok bool) {
	return b.Evaluate(), uint8(m) < b.piles[m>>8]
}

type leafKeepsTurn struct{ *nim }

func (b *leafKeepsTurn) Turn() engine.Side { return engine.First }
