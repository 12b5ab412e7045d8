package enginetest

import (
	"errors"
	"strings"

	"selfplay/engine"
)

type setIgnoresSide struct{ *nim }

func (b *setIgnoresSide) Set(text string) error {
	err := b.nim.Set(text)
	b.turn = engine.First
	return err
}

type setRejectsEnds struct{ *nim }

func (b *setRejectsEnds) Set(text string) error {
	if strings.HasPrefix(text, "0,0,0") {
		return &engine.TextError{Kind: "NIM", Category: "structure", Msg: "no piles"}
	}
	return b.nim.Set(text)
}

type historyInHash struct{ *nim }

func (b *historyInHash) Hash() uint64 { return b.nim.Hash() + uint64(len(b.played)) }

type historyInCheck struct{ *nim }

func (b *historyInCheck) Check() bool { return len(b.played) > 2 }

type historyInMoves struct{ *nim }

func (b *historyInMoves) Moves(dst []engine.Move) []engine.Move {
	list := b.nim.Moves(dst)
	if len(b.played) > 2 && len(list) > len(dst)+1 {
		list = list[:len(list)-1]
	}
	return list
}

type historyInOutcome struct{ *nim }

func (b *historyInOutcome) Outcome() engine.Outcome {
	if len(b.played) > 2 {
		return engine.Outcome{Result: engine.Draw, Reason: engine.Fifty}
	}
	return b.nim.Outcome()
}

type rejectionClearsPile struct{ *nim }

func (b *rejectionClearsPile) Set(text string) error {
	err := b.nim.Set(text)
	if err != nil {
		b.piles[0] = 0
	}
	return err
}

type rejectionUntyped struct{ *nim }

func (b *rejectionUntyped) Set(text string) error {
	if b.nim.Set(text) != nil {
		return errors.New("rejected")
	}
	return nil
}

type setAcceptsAll struct{ *nim }

func (b *setAcceptsAll) Set(text string) error {
	if b.nim.Set(text) != nil {
		b.nim.Reset()
	}
	return nil
}

type resetKeepsHistory struct{ *nim }

func (b *resetKeepsHistory) Reset() {
	kept := b.played
	b.nim.Reset()
	b.played = kept
}

type resetKeepsSide struct{ *nim }

func (b *resetKeepsSide) Reset() {
	kept := b.turn
	b.nim.Reset()
	b.turn = kept
}

type setKeepsHistory struct{ *nim }

func (b *setKeepsHistory) Set(text string) error {
	kept := b.played
	err := b.nim.Set(text)
	b.played = kept
	return err
}

type setRepeats struct {
	*nim
	seen map[string]int
}

func (b *setRepeats) Set(text string) error {
	b.seen[text]++
	return b.nim.Set(text)
}

func (b *setRepeats) Outcome() engine.Outcome {
	if o := b.nim.Outcome(); o != engine.Ongoing || b.seen[b.String()] < 3 {
		return o
	}
	return engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
}
