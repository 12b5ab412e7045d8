package enginetest

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"selfplay/engine"
)

// nim is a game that obeys every law. There are three piles; a move takes any number
// of pieces from one pile; the player who takes the last piece wins. The text is
// "3,5,7 x" or "3,5,7 y".
type nim struct {
	engine.Defaults

	piles  [3]uint8
	turn   engine.Side
	played []engine.Move // pile<<8 | number taken
	list   []engine.Move // scratch of DoRandom
}

func nimGame() engine.Game {
	return engine.Game{
		Name: "nim", Sides: [2]string{"x", "y"}, MaxPlies: 15,
		Samplers: []engine.Sampler{{Name: "whole", Default: 300, DoRandom: func(p engine.Position, src *rand.PCG, value engine.Fraction) (engine.Move, bool) {
			return p.(wholeSampler).doWhole(src, value)
		}}},
		New: func(string) engine.Position { return newNim() },
	}
}

// wholeSampler is a position with the sampler of nim. Broken variants override it.
type wholeSampler interface {
	doWhole(src *rand.PCG, value engine.Fraction) (engine.Move, bool)
}

// doWhole takes the whole of the first pile left with probability value, else it draws
// with DoRandom.
func (n *nim) doWhole(src *rand.PCG, value engine.Fraction) (engine.Move, bool) {
	if src.Uint64()%uint64(engine.One) >= uint64(value) {
		return n.DoRandom(src)
	}
	for pile, size := range n.piles {
		if size > 0 {
			m := engine.Move(pile)<<8 | engine.Move(size)
			n.Do(m)
			return m, true
		}
	}
	return 0, false
}

func (n *nim) Count() int { return int(n.piles[0]) + int(n.piles[1]) + int(n.piles[2]) }

func newNim() *nim { return &nim{piles: [3]uint8{3, 5, 7}} }

func (n *nim) Reset() { n.piles, n.turn, n.played = [3]uint8{3, 5, 7}, engine.First, n.played[:0] }

func (n *nim) Set(text string) error {
	var fresh nim
	var side rune
	_, err := fmt.Sscanf(text, "%d,%d,%d %c", &fresh.piles[0], &fresh.piles[1], &fresh.piles[2], &side)
	fresh.turn = engine.Side(side - 'x')
	if err != nil || fresh.turn > 1 || fresh.String() != text {
		return &engine.TextError{Kind: "NIM", Category: "structure", Msg: "want three piles and a side"}
	}
	n.piles, n.turn, n.played = fresh.piles, fresh.turn, n.played[:0]
	return nil
}

func (n *nim) String() string {
	return fmt.Sprintf("%d,%d,%d %c", n.piles[0], n.piles[1], n.piles[2], 'x'+rune(n.turn))
}

func (n *nim) Turn() engine.Side { return n.turn }
func (n *nim) Check() bool       { return n.piles == [3]uint8{0, 0, 1} }

func (n *nim) Moves(dst []engine.Move) []engine.Move {
	for pile, size := range n.piles {
		for take := range engine.Move(size) {
			dst = append(dst, engine.Move(pile)<<8|(take+1))
		}
	}
	return dst
}

func (n *nim) Do(m engine.Move) {
	n.piles[m>>8] -= uint8(m)
	n.turn ^= 1
	n.played = append(n.played, m)
}

func (n *nim) Undo() {
	m := n.played[len(n.played)-1]
	n.played = n.played[:len(n.played)-1]
	n.piles[m>>8] += uint8(m)
	n.turn ^= 1
}

func (n *nim) DoRandom(src *rand.PCG) (engine.Move, bool) {
	n.list = n.Moves(n.list[:0])
	if len(n.list) == 0 {
		return 0, false
	}
	m := n.list[src.Uint64()%uint64(len(n.list))]
	n.Do(m)
	return m, true
}

func (n *nim) Outcome() engine.Outcome {
	if n.piles != [3]uint8{} {
		return engine.Ongoing
	}
	return engine.Outcome{Result: engine.Win(n.turn.Other()), Reason: engine.Blocked}
}

func (n *nim) Hash() uint64 {
	const odd = 0x9e3779b97f4a7c15
	return (uint64(n.piles[0])<<16 | uint64(n.piles[1])<<8 | uint64(n.piles[2]) | uint64(n.turn)<<24) * odd
}

func (n *nim) FormatMove(m engine.Move) string { return fmt.Sprintf("%c%d", 'a'+rune(m>>8), m&0xff) }

func (n *nim) ParseMove(text string) (engine.Move, error) {
	for _, m := range n.Moves(nil) {
		if n.FormatMove(m) == text {
			return m, nil
		}
	}
	return 0, errors.New("no legal move")
}

// nim as an Evaluator: the number of piles left speaks for First, and taking a whole pile
// is a capture. Over may stay false, since the game ends only where no move is left.

func (n *nim) Over() bool { return false }

func (n *nim) Evaluate() (piles int) {
	for _, size := range n.piles {
		if size > 0 {
			piles++
		}
	}
	if n.turn == engine.Second {
		return -piles
	}
	return piles
}

func (n *nim) Captures(dst []engine.Move) []engine.Move {
	for pile, size := range n.piles {
		if size > 0 {
			dst = append(dst, engine.Move(pile)<<8|engine.Move(size))
		}
	}
	return dst
}

// AppendCaptures also appends a capture that is not legal: no pile has 9 pieces.
func (n *nim) AppendCaptures(dst []engine.Move, gains []int32, least int) ([]engine.Move, []int32) {
	if least > 1 {
		return dst, gains
	}
	start := len(dst)
	dst = n.Captures(dst)
	for range dst[start:] {
		gains = append(gains, 1)
	}
	if least <= 0 {
		dst, gains = append(dst, 9), append(gains, 0)
	}
	return dst, gains
}

func (n *nim) LegalCapture(m engine.Move) bool { return n.Legal(m) }

func (n *nim) Legal(m engine.Move) bool { return uint8(m) <= n.piles[m>>8] }

func (n *nim) Gain(m engine.Move) int {
	if uint8(m) == n.piles[m>>8] {
		return 1
	}
	return 0
}

// ScoreAfter answers moves that take a part of a pile.
func (n *nim) ScoreAfter(m engine.Move) (score int, ok bool) {
	after := n.after(m)
	return -n.Evaluate(), after.piles[m>>8] > 0 && !after.Check()
}

func (n *nim) HashAfter(m engine.Move) (hash uint64, ok bool) {
	after := n.after(m)
	return after.Hash(), after.piles[m>>8] > 0 && !after.Check()
}

// after returns the position after a move.
func (n *nim) after(m engine.Move) *nim {
	after := nim{piles: n.piles, turn: n.turn.Other()}
	after.piles[m>>8] -= uint8(m)
	return &after
}

// nim as a Featured: the size of each pile. Both sides see the same.

var nimFeatures = engine.FeatureSet{Name: "nim-piles", Version: 1, Size: 24, Most: 3, Views: 1, Policy: &nimPolicy}

// The parts of a move are the pile and the number of pieces taken.
var nimPolicy = engine.PolicySet{Name: "nim-takes", Version: 1, Size: 3 + 8}

func (n *nim) MoveParts(m engine.Move) [2]uint16 { return [2]uint16{uint16(m >> 8), 3 + uint16(m&7)} }

func (n *nim) FeatureSet() *engine.FeatureSet { return &nimFeatures }

func (n *nim) feature(pile int, size uint8) engine.Feature {
	f := uint16(pile)*8 + uint16(size)
	return engine.NewFeature(f, f)
}

func (n *nim) AppendFeatures(dst []engine.Feature) []engine.Feature {
	for pile, size := range n.piles {
		dst = append(dst, n.feature(pile, size))
	}
	return dst
}

func (n *nim) View(engine.Side) int { return 0 }

// AppendDifference keeps one more than the size of each pile.
func (n *nim) AppendDifference(before *engine.Board, removed, added []engine.Feature) (r, a []engine.Feature) {
	for pile, size := range n.piles {
		if was := before[pile]; was != uint64(size)+1 {
			if was > 0 {
				removed = append(removed, n.feature(pile, uint8(was-1)))
			}
			added = append(added, n.feature(pile, size))
		}
		before[pile] = uint64(size) + 1
	}
	return removed, added
}

func (n *nim) Plies() int { return len(n.played) }

func (n *nim) HashAt(i int) uint64 {
	before := nim{piles: n.piles, turn: n.turn, played: append([]engine.Move(nil), n.played...)}
	for len(before.played) > i {
		before.Undo()
	}
	return before.Hash()
}

func (n *nim) AppendChanges(i int, removed, added []engine.Feature) (r, a []engine.Feature, ok bool) {
	pile := int(n.played[i] >> 8)
	size := n.piles[pile]
	for _, m := range n.played[i:] {
		if int(m>>8) == pile {
			size += uint8(m)
		}
	}
	return append(removed, n.feature(pile, size)), append(added, n.feature(pile, size-uint8(n.played[i]))), true
}
