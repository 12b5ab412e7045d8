package enginetest

import (
	"errors"
	"math/rand/v2"
	"strings"

	"selfplay/engine"
)

// A fault is one way to break a law, and the law that must notice. Every law has
// at least one; the types below override one method of nim each.
type fault struct {
	law  string
	name string
	make func(n *nim) engine.Position
}

var faults = []fault{
	{"drawing and listing do not allocate", "Random allocates", func(n *nim) engine.Position { return &wastefulDraw{n} }},
	{"drawing and listing do not allocate", "Moves allocates", func(n *nim) engine.Position { return &wastefulList{n} }},
	{"reading back what is written changes nothing", "Set ignores the side", func(n *nim) engine.Position { return &deafToSide{n} }},
	{"reading back what is written changes nothing", "Set refuses endings", func(n *nim) engine.Position { return &narrowReader{n} }},
	{"reading back what is written changes nothing", "the hash depends on the way", func(n *nim) engine.Position { return &driftingHash{n} }},
	{"reading back what is written changes nothing", "check is not in the text", func(n *nim) engine.Position { return &driftingCheck{n} }},
	{"text says all that legal moves depend on", "moves depend on the history", func(n *nim) engine.Position { return &tiring{n} }},
	{"text says all that legal moves depend on", "the outcome depends on the history", func(n *nim) engine.Position { return &impatient{n} }},
	{"a refused text leaves the position as it was", "a refusal clears the board", func(n *nim) engine.Position { return &clearing{n} }},
	{"a refused text leaves the position as it was", "a refusal is a plain error", func(n *nim) engine.Position { return &tongueTied{n} }},
	{"a refused text leaves the position as it was", "everything reads", func(n *nim) engine.Position { return &trusting{n} }},
	{"reset goes back to the start", "Reset keeps the moves", func(n *nim) engine.Position { return &unforgetting{n} }},
	{"reset goes back to the start", "Reset keeps the side", func(n *nim) engine.Position { return &halfReset{n} }},
	{"set forgets the history", "Set keeps the moves", func(n *nim) engine.Position { return &nostalgic{n} }},
	{"set forgets the history", "Set keeps the repetitions", func(n *nim) engine.Position { return &counting{nim: n, seen: map[string]int{}} }},
	{"moves are listed once and appended", "a move is listed twice", func(n *nim) engine.Position { return &stammering{n} }},
	{"moves are listed once and appended", "listing starts over", func(n *nim) engine.Position { return &overwriting{n} }},
	{"moves are listed once and appended", "the game has no end", func(n *nim) engine.Position { return &endless{n} }},
	{"the count is the length of the list", "the last pile is not counted", func(n *nim) engine.Position { return &shortSighted{n} }},
	{"moves survive writing and reading", "two moves are written alike", func(n *nim) engine.Position { return &mumbling{n} }},
	{"moves survive writing and reading", "anything is a move", func(n *nim) engine.Position { return &credulous{n} }},
	{"equal hashes have equal moves", "the hash leaves out a pile", func(n *nim) engine.Position { return &shortHash{n} }},
	{"equal hashes have equal moves", "the hash leaves out the side", func(n *nim) engine.Position { return &sidelessHash{n} }},
	{"undo restores everything", "undo changes the list order", func(n *nim) engine.Position { return &shuffling{nim: n} }},
	{"undo restores everything", "undo forgets one piece", func(n *nim) engine.Position { return &forgetful{n} }},
	{"a whole game can be taken back", "undo forgets one piece", func(n *nim) engine.Position { return &forgetful{n} }},
	{"a whole game can be taken back", "undo goes past the beginning", func(n *nim) engine.Position { return &bottomless{n} }},
	{"a whole game can be taken back", "games do not end", func(n *nim) engine.Position { return &endless{n} }},
	{"a draw plays a listed move", "a draw passes", func(n *nim) engine.Position { return &passing{n} }},
	{"a draw plays a listed move", "a draw returns another move", func(n *nim) engine.Position { return &lying{n} }},
	{"a draw plays a listed move", "dice take too much", func(n *nim) engine.Position { return &greedyDice{n} }},
	{"a draw fails exactly where the game is over", "dice give up early", func(n *nim) engine.Position { return &wearyDice{n} }},
	{"a draw depends on position and source alone", "dice remember the last list", func(n *nim) engine.Position { return &absentDice{nim: n} }},
	{"drawing and listing do not allocate", "dice allocate", func(n *nim) engine.Position { return &wastefulDice{n} }},
	{"a draw fails exactly where the game is over", "a draw gives up early", func(n *nim) engine.Position { return &weary{n} }},
	{"a draw fails exactly where the game is over", "the end has no reason", func(n *nim) engine.Position { return &unreasoned{n} }},
	{"a draw depends on position and source alone", "a draw remembers the last list", func(n *nim) engine.Position { return &absentMinded{nim: n} }},
	{"questions do not change a game", "a draw remembers the last list", func(n *nim) engine.Position { return &absentMinded{nim: n} }},
	{"scores are of the text", "a score depends on the way", func(n *nim) engine.Position { return &drifting{n} }},
	{"scores are of the text", "a gain depends on the way", func(n *nim) engine.Position { return &driftingGain{n} }},
	{"captures are listed moves", "a capture is listed twice", func(n *nim) engine.Position { return &echoing{n} }},
	{"captures are listed moves", "a capture is no move", func(n *nim) engine.Position { return &overreaching{n} }},
	{"captures are listed moves", "captures are forgotten", func(n *nim) engine.Position { return &peaceful{n} }},
	{"legal is what is listed", "all moves are legal", func(n *nim) engine.Position { return &lawless{n} }},
	{"legal is what is listed", "captures are illegal", func(n *nim) engine.Position { return &strict{n} }},
	{"draws are uniform", "the first move is drawn twice as often", func(n *nim) engine.Position { return &biased{n} }},
	{"draws are uniform", "the last move is never drawn", func(n *nim) engine.Position { return &shy{n} }},
}

// sink keeps what is allocated for nothing from being optimized away.
var sink []engine.Move

type wastefulDraw struct{ *nim }

func (b *wastefulDraw) DoRandom(src *rand.PCG) (engine.Move, bool) {
	sink = make([]engine.Move, 1)
	return b.nim.DoRandom(src)
}

type wastefulList struct{ *nim }

func (b *wastefulList) Moves(dst []engine.Move) []engine.Move {
	sink = b.nim.Moves(nil)
	return append(dst, sink...)
}

type deafToSide struct{ *nim }

func (b *deafToSide) Set(text string) error {
	err := b.nim.Set(text)
	b.turn = engine.First
	return err
}

type narrowReader struct{ *nim }

func (b *narrowReader) Set(text string) error {
	if strings.HasPrefix(text, "0,0,0") {
		return &engine.TextError{Kind: "NIM", Category: "structure", Msg: "no piles"}
	}
	return b.nim.Set(text)
}

type driftingHash struct{ *nim }

func (b *driftingHash) Hash() uint64 { return b.nim.Hash() + uint64(len(b.played)) }

type driftingCheck struct{ *nim }

func (b *driftingCheck) Check() bool { return len(b.played) > 2 }

type tiring struct{ *nim }

func (b *tiring) Moves(dst []engine.Move) []engine.Move {
	list := b.nim.Moves(dst)
	if len(b.played) > 2 && len(list) > len(dst)+1 {
		list = list[:len(list)-1]
	}
	return list
}

type impatient struct{ *nim }

func (b *impatient) Outcome() engine.Outcome {
	if len(b.played) > 2 {
		return engine.Outcome{Result: engine.Draw, Reason: engine.Fifty}
	}
	return b.nim.Outcome()
}

type clearing struct{ *nim }

func (b *clearing) Set(text string) error {
	err := b.nim.Set(text)
	if err != nil {
		b.piles[0] = 0
	}
	return err
}

type tongueTied struct{ *nim }

func (b *tongueTied) Set(text string) error {
	if b.nim.Set(text) != nil {
		return errors.New("no")
	}
	return nil
}

type trusting struct{ *nim }

func (b *trusting) Set(text string) error {
	if b.nim.Set(text) != nil {
		b.nim.Reset()
	}
	return nil
}

type unforgetting struct{ *nim }

func (b *unforgetting) Reset() {
	kept := b.played
	b.nim.Reset()
	b.played = kept
}

type halfReset struct{ *nim }

func (b *halfReset) Reset() {
	kept := b.turn
	b.nim.Reset()
	b.turn = kept
}

type nostalgic struct{ *nim }

func (b *nostalgic) Set(text string) error {
	kept := b.played
	err := b.nim.Set(text)
	b.played = kept
	return err
}

type counting struct {
	*nim
	seen map[string]int
}

func (b *counting) Set(text string) error {
	b.seen[text]++
	return b.nim.Set(text)
}

func (b *counting) Outcome() engine.Outcome {
	if o := b.nim.Outcome(); o != engine.Ongoing || b.seen[b.String()] < 3 {
		return o
	}
	return engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
}

type stammering struct{ *nim }

func (b *stammering) Moves(dst []engine.Move) []engine.Move {
	n := len(dst)
	list := b.nim.Moves(dst)
	if len(list) > n {
		list = append(list, list[n])
	}
	return list
}

type overwriting struct{ *nim }

func (b *overwriting) Moves(dst []engine.Move) []engine.Move { return b.nim.Moves(dst[:0]) }

type endless struct{ *nim }

func (b *endless) Outcome() engine.Outcome { return engine.Ongoing }

type mumbling struct{ *nim }

func (b *mumbling) FormatMove(m engine.Move) string { return b.nim.FormatMove(m &^ 1) }

type credulous struct{ *nim }

func (b *credulous) ParseMove(text string) (engine.Move, error) {
	m, err := b.nim.ParseMove(strings.TrimRight(text, " "))
	return m, err
}

type shortHash struct{ *nim }

func (b *shortHash) Hash() uint64 { return uint64(b.piles[0])<<8 | uint64(b.piles[1]) }

type sidelessHash struct{ *nim }

func (b *sidelessHash) Hash() uint64 {
	return uint64(b.piles[0])<<16 | uint64(b.piles[1])<<8 | uint64(b.piles[2])
}

type shuffling struct {
	*nim
	undone int
}

func (b *shuffling) Undo() {
	b.nim.Undo()
	b.undone++
}

func (b *shuffling) Moves(dst []engine.Move) []engine.Move {
	n := len(dst)
	list := b.nim.Moves(dst)
	if b.undone%7 == 1 && len(list) > n+1 {
		list[n], list[n+1] = list[n+1], list[n]
	}
	return list
}

type forgetful struct{ *nim }

func (b *forgetful) Undo() {
	m := b.played[len(b.played)-1]
	b.nim.Undo()
	if m == 2<<8|1 {
		b.piles[2]--
	}
}

type bottomless struct{ *nim }

func (b *bottomless) Undo() {
	if len(b.played) > 0 {
		b.nim.Undo()
	}
}

type passing struct{ *nim }

func (b *passing) DoRandom(src *rand.PCG) (engine.Move, bool) {
	const pass engine.Move = 2 << 8 // none from the last pile
	if b.piles[2] != 3 || b.turn == engine.Second {
		return b.nim.DoRandom(src)
	}
	b.Do(pass)
	return pass, true
}

type lying struct{ *nim }

func (b *lying) DoRandom(src *rand.PCG) (engine.Move, bool) {
	first := b.nim.Moves(nil)
	m, ok := b.nim.DoRandom(src)
	if ok {
		m = first[0]
	}
	return m, ok
}

type weary struct{ *nim }

func (b *weary) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if b.piles[2] == 0 {
		return 0, false
	}
	return b.nim.DoRandom(src)
}

type unreasoned struct{ *nim }

func (b *unreasoned) Outcome() engine.Outcome {
	return engine.Outcome{Result: b.nim.Outcome().Result}
}

type absentMinded struct {
	*nim
	listed int
}

func (b *absentMinded) Moves(dst []engine.Move) []engine.Move {
	b.listed++
	return b.nim.Moves(dst)
}

func (b *absentMinded) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if b.listed%2 == 1 {
		src.Uint64()
	}
	return b.nim.DoRandom(src)
}

type biased struct{ *nim }

func (b *biased) DoRandom(src *rand.PCG) (engine.Move, bool) {
	list := b.nim.Moves(b.list[:0])
	b.list = list
	if len(list) == 0 {
		return 0, false
	}
	m := list[max(1, src.Uint64()%uint64(len(list)+1))-1]
	b.Do(m)
	return m, true
}

type shy struct{ *nim }

func (b *shy) DoRandom(src *rand.PCG) (engine.Move, bool) {
	list := b.nim.Moves(b.list[:0])
	b.list = list
	if len(list) == 0 {
		return 0, false
	}
	m := list[src.Uint64()%uint64(max(len(list)-1, 1))]
	b.Do(m)
	return m, true
}

type shortSighted struct{ *nim }

func (b *shortSighted) Count() int { return b.nim.Count() - int(b.piles[2]) }

type greedyDice struct{ *nim }

func (b *greedyDice) throw(src *rand.PCG, share engine.Fraction) (engine.Move, bool) {
	m, ok := b.nim.throw(src, share)
	return m + 1, ok
}

type wearyDice struct{ *nim }

func (b *wearyDice) throw(src *rand.PCG, share engine.Fraction) (engine.Move, bool) {
	if len(b.played) > 3 {
		return 0, false
	}
	return b.nim.throw(src, share)
}

type absentDice struct {
	*nim
	listed uint64
}

func (b *absentDice) Moves(dst []engine.Move) []engine.Move {
	b.listed++
	return b.nim.Moves(dst)
}

func (b *absentDice) throw(src *rand.PCG, share engine.Fraction) (engine.Move, bool) {
	if b.listed&1 == 1 {
		src.Uint64()
	}
	return b.nim.throw(src, share)
}

type wastefulDice struct{ *nim }

func (b *wastefulDice) throw(src *rand.PCG, share engine.Fraction) (engine.Move, bool) {
	sink = make([]engine.Move, 1)
	return b.nim.throw(src, share)
}

type drifting struct{ *nim }

func (b *drifting) Evaluate() int { return b.nim.Evaluate() + len(b.played) }

type driftingGain struct{ *nim }

func (b *driftingGain) Gain(m engine.Move) int { return b.nim.Gain(m) + len(b.played) }

type echoing struct{ *nim }

func (b *echoing) Captures(dst []engine.Move) []engine.Move {
	return b.nim.Captures(b.nim.Captures(dst))
}

type overreaching struct{ *nim }

func (b *overreaching) Captures(dst []engine.Move) []engine.Move {
	return append(b.nim.Captures(dst), engine.Move(b.piles[0]+1))
}

type peaceful struct{ *nim }

func (b *peaceful) Captures(dst []engine.Move) []engine.Move { return dst }

type lawless struct{ *nim }

func (b *lawless) Legal(engine.Move) bool { return true }

type strict struct{ *nim }

func (b *strict) Legal(m engine.Move) bool { return b.nim.Legal(m) && b.Gain(m) == 0 }
