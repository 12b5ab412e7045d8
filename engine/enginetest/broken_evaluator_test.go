package enginetest

import "selfplay/engine"

type historyInScore struct{ *nim }

func (b *historyInScore) Evaluate() int { return b.nim.Evaluate() + len(b.played) }

type scoreBeyond struct{ *nim }

func (b *scoreBeyond) Evaluate() int { return b.nim.Evaluate() - engine.MaxStatic - 1 }

type scoreAllocates struct{ *nim }

func (b *scoreAllocates) Evaluate() int {
	sink = make([]engine.Move, 1)
	return b.nim.Evaluate()
}

type historyInGain struct{ *nim }

func (b *historyInGain) Gain(m engine.Move) int { return b.nim.Gain(m) + len(b.played) }

type historyInPlacement struct{ *nim }

func (b *historyInPlacement) Placement(engine.Move) int { return len(b.played) }

type historyInHangs struct{ *nim }

func (b *historyInHangs) Hangs(engine.Move) bool { return len(b.played) > 0 }

type historyInChecks struct{ *nim }

func (b *historyInChecks) GivesCheck(engine.Move) bool { return len(b.played) > 0 }

type duplicateCapture struct{ *nim }

func (b *duplicateCapture) Captures(dst []engine.Move) []engine.Move {
	return b.nim.Captures(b.nim.Captures(dst))
}

type illegalCapture struct{ *nim }

func (b *illegalCapture) Captures(dst []engine.Move) []engine.Move {
	return append(b.nim.Captures(dst), engine.Move(b.piles[0]+1))
}

type noCaptures struct{ *nim }

func (b *noCaptures) Captures(dst []engine.Move) []engine.Move { return dst }

type listOmitsLast struct{ *nim }

func (b *listOmitsLast) AppendCaptures(dst []engine.Move, gains []int32, least int) ([]engine.Move, []int32) {
	dst, gains = b.nim.AppendCaptures(dst, gains, least)
	n := max(len(dst)-1, 1)
	return dst[:n], gains[:n]
}

type listIgnoresLeast struct{ *nim }

func (b *listIgnoresLeast) AppendCaptures(dst []engine.Move, gains []int32, _ int) ([]engine.Move, []int32) {
	return b.nim.AppendCaptures(dst, gains, 0)
}

type listGainsMore struct{ *nim }

func (b *listGainsMore) AppendCaptures(dst []engine.Move, gains []int32, least int) ([]engine.Move, []int32) {
	dst, gains = b.nim.AppendCaptures(dst, gains, least)
	gains[len(gains)-1]++
	return dst, gains
}

type everyCaptureLegal struct{ *nim }

func (b *everyCaptureLegal) LegalCapture(engine.Move) bool { return true }

type everythingLegal struct{ *nim }

func (b *everythingLegal) Legal(engine.Move) bool { return true }

type capturesIllegal struct{ *nim }

func (b *capturesIllegal) Legal(m engine.Move) bool { return b.nim.Legal(m) && b.Gain(m) == 0 }

type overEarly struct{ *nim }

func (b *overEarly) Over() bool { return b.Count() == 1 }

type historyInOver struct{ *nim }

func (b *historyInOver) Over() bool { return len(b.played) > 2 }

// drawnNim is nim with a draw that leaves moves on the list: the game is drawn when
// one piece is left. Its Over obeys the laws; broken variants override it.
type drawnNim struct{ *nim }

func (d drawnNim) Over() bool { return d.Count() == 1 }

func (d drawnNim) Outcome() engine.Outcome {
	if d.Over() {
		return engine.Outcome{Result: engine.Draw, Reason: engine.Material}
	}
	return d.nim.Outcome()
}

type overMissesDraw struct{ drawnNim }

func (b *overMissesDraw) Over() bool { return false }

type overOnlyBlocked struct{ drawnNim }

func (b *overOnlyBlocked) Over() bool { return b.Count() == 0 }

type captureAtEnd struct{ *nim }

func (b *captureAtEnd) Captures(dst []engine.Move) []engine.Move {
	if b.Count() == 0 {
		return append(dst, 1)
	}
	return b.nim.Captures(dst)
}
