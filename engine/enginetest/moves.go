package enginetest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// movesAreUnique: Moves keeps the contents of dst and appends each legal move once.
// Without a legal move the game is over. MostMoves bounds the moves, if it is known.
func movesAreUnique(v *visit) error {
	const mark engine.Move = 0xdead_beef
	list := v.p.Moves(append(v.list[:0], mark))
	v.list = list
	if list[0] != mark {
		return errors.New("Moves overwrites dst")
	}
	list = list[1:]
	if len(list) == 0 && v.p.Outcome() == engine.Ongoing {
		return errors.New("no legal move, but the outcome is Ongoing")
	}
	if most := v.Game.MostMoves; most > 0 && len(list) > most {
		return fmt.Errorf("%d legal moves, MostMoves is %d", len(list), most)
	}
	slices.Sort(list)
	for i := 1; i < len(list); i++ {
		if list[i] == list[i-1] {
			return fmt.Errorf("move %s is listed twice", v.p.FormatMove(list[i]))
		}
	}
	return nil
}

// countIsLength: Count is the length of the list.
func countIsLength(v *visit) error {
	counter, ok := v.p.(engine.Counter)
	if !ok {
		return nil
	}
	if got, want := counter.Count(), len(v.moves()); got != want {
		return fmt.Errorf("Count is %d, %d moves are listed", got, want)
	}
	return nil
}

// moveTextRoundTrips: the wire form of a move is unique in its list and parses back to
// the move. ParseMove rejects everything else.
func moveTextRoundTrips(v *visit) error {
	texts := map[string]bool{}
	for _, m := range v.moves() {
		text := v.p.FormatMove(m)
		if text == "" {
			return fmt.Errorf("move %#x has an empty text", m)
		}
		if texts[text] {
			return fmt.Errorf("two moves have the text %q", text)
		}
		texts[text] = true
		if got, err := v.p.ParseMove(text); err != nil || got != m {
			return fmt.Errorf("move %#x has the text %q, which parses as %#x, %v", m, text, got, err)
		}
	}
	for _, text := range append(v.invalidMoveTexts(), v.elsewhere...) {
		if got, err := v.p.ParseMove(text); err == nil && !texts[text] {
			return fmt.Errorf("%q is not a legal move, but parses as %#x", text, got)
		}
	}
	v.elsewhere = append(v.elsewhere[:min(len(v.elsewhere), 128)/2], slices.Collect(maps.Keys(texts))...)
	return nil
}

// invalidMoveTexts returns texts that are hardly ever legal moves.
func (v *visit) invalidMoveTexts() []string {
	list := []string{"", "?", " "}
	if len(v.list) > 0 {
		text := v.p.FormatMove(v.pick(v.list))
		list = append(list, text+"?", "?"+text, text+" ", text+text, text[1:], text[:len(text)-1])
	}
	return list
}

// equalHashes: positions with the same hash have the same side to move, check, moves and
// static score. It checks all given texts and some positions of random games, each with its
// successors, where an incomplete hash collides first.
func equalHashes(g target) error {
	seen := byHash{}
	p := g.New()
	for _, text := range g.Starts {
		if err := begin(p, text); err != nil {
			return err
		}
		if err := seen.addWithSuccessors(p); err != nil {
			return fmt.Errorf("from %q: %w", text, err)
		}
	}
	return onWalk(max(g.Plies/256, 1), func(v *visit) error { return seen.addWithSuccessors(v.p) })(g)
}

// byHash maps a hash to the side, check, moves and score of the position that had it.
type byHash map[uint64]string

// addWithSuccessors adds a position and its successors.
func (seen byHash) addWithSuccessors(p engine.Position) error {
	err := seen.add(p)
	for _, m := range p.Moves(nil) {
		if err != nil {
			break
		}
		p.Do(m)
		err = seen.add(p)
		p.Undo()
	}
	return err
}

func (seen byHash) add(p engine.Position) error {
	now := fmt.Sprint(p.Turn(), p.Check(), moveTexts(p))
	if e, ok := p.(engine.Evaluator); ok {
		now += fmt.Sprint(" score ", e.Evaluate())
	}
	if before, ok := seen[p.Hash()]; ok && before != now {
		return fmt.Errorf("hash %016x belongs to both %s and %s", p.Hash(), before, now)
	}
	seen[p.Hash()] = now
	return nil
}

// textRoundTrips: text -> position -> text is the identity, and the position read from
// the text has the same hash, side to move and check.
func textRoundTrips(v *visit) error {
	text := v.p.String()
	if err := v.fresh.Set(text); err != nil {
		return fmt.Errorf("Set rejects the position's own text: %w", err)
	}
	if got := v.fresh.String(); got != text {
		return fmt.Errorf("the text changes to %q when read", got)
	}
	if got, want := v.fresh.Hash(), v.p.Hash(); got != want {
		return fmt.Errorf("hash %016x as played, %016x as read", want, got)
	}
	if got, want := v.fresh.Turn(), v.p.Turn(); got != want {
		return fmt.Errorf("side to move %d as played, %d as read", want, got)
	}
	if got, want := v.fresh.Check(), v.p.Check(); got != want {
		return fmt.Errorf("check %t as played, %t as read", want, got)
	}
	return nil
}

// textIsMarkov: a position read from the text has the same legal moves and, except for
// repetition, the same outcome.
func textIsMarkov(v *visit) error {
	if err := v.fresh.Set(v.p.String()); err != nil {
		return err
	}
	if got, want := moveTexts(v.fresh), moveTexts(v.p); !slices.Equal(got, want) {
		return fmt.Errorf("moves as played %q, as read %q", want, got)
	}
	got, want := v.fresh.Outcome(), v.p.Outcome()
	if want.Reason == engine.Repetition {
		return nil
	}
	if got != want {
		return fmt.Errorf("outcome %v as played, %v as read", want, got)
	}
	if p, ok := v.p.(engine.Evaluator); ok {
		if got, want := v.fresh.(engine.Evaluator).Over(), p.Over(); got != want {
			return fmt.Errorf("Over is %t as played, %t as read", want, got)
		}
	}
	return nil
}

// resetClearsHistory: after Reset a position equals a new one and has no move to undo.
func resetClearsHistory(v *visit) error {
	want := newSnapshot(v.New())
	if err := v.fresh.Set(v.p.String()); err != nil {
		return err
	}
	draw(v.fresh, v.src)
	v.fresh.Reset()
	if err := want.compare(v.fresh); err != nil {
		return fmt.Errorf("after Reset: %w", err)
	}
	if !panics(v.fresh.Undo) {
		return errors.New("Undo finds a move after Reset")
	}
	return nil
}

// setClearsHistory: after Set there is nothing to undo and nothing to repeat,
// whatever was played or set before.
func setClearsHistory(v *visit) error {
	text := v.p.String()
	v.fresh.Reset()
	for range 3 {
		draw(v.fresh, v.src)
	}
	for range 3 { // a third occurrence would be a repetition
		if err := v.fresh.Set(text); err != nil {
			return err
		}
	}
	if o := v.fresh.Outcome(); o.Reason == engine.Repetition {
		return errors.New("a position is a repetition directly after Set")
	}
	if !panics(v.fresh.Undo) {
		return errors.New("Undo finds a move after Set")
	}
	return nil
}

// rejectionKeepsPosition: Set rejects an invalid text with a *TextError and leaves the
// position and its history unchanged.
func rejectionKeepsPosition(v *visit) error {
	text := v.p.String()
	before, rejected := newSnapshot(v.p), 0
	for i, corrupt := range corruptions(text) {
		if err := v.fresh.Set(corrupt); err == nil {
			if i < neverValid {
				return fmt.Errorf("text %q is accepted, as %q", corrupt, v.fresh)
			}
			if err := v.checkAccepted(); err != nil {
				return fmt.Errorf("text %q is accepted, but %w", corrupt, err)
			}
			continue // a corrupted text may still be valid
		}
		rejected++
		if err := v.checkRejection(corrupt, before); err != nil {
			return fmt.Errorf("text %q: %w", corrupt, err)
		}
	}
	if rejected == 0 {
		return errors.New("no corrupted text is rejected")
	}
	return nil
}

// checkAccepted: the text that v.fresh writes after it accepted another one reads as the same position.
func (v *visit) checkAccepted() error {
	again := v.New()
	if err := again.Set(v.fresh.String()); err != nil {
		return fmt.Errorf("its text %q is not: %w", v.fresh, err)
	}
	return newSnapshot(v.fresh).compare(again)
}

func (v *visit) checkRejection(text string, before snapshot) error {
	if err := checkTextError(v.p.Set(text)); err != nil {
		return err
	}
	return before.compare(v.p)
}

// checkTextError reports how err falls short of a complete *TextError.
func checkTextError(err error) error {
	var textErr *engine.TextError
	if !errors.As(err, &textErr) {
		return fmt.Errorf("rejected with %T, want *engine.TextError", err)
	}
	if textErr.Kind == "" || textErr.Category == "" || textErr.Msg == "" {
		return fmt.Errorf("rejected without kind, category or message: %#v", textErr)
	}
	return nil
}

// neverValid is the number of leading corruptions that no game accepts.
const neverValid = 4

// corruptions returns text truncated, with characters removed, overwritten and doubled
// at a spread of places.
func corruptions(text string) []string {
	list := []string{"", "?", text + "?", text + text} // see neverValid
	for i := 0; i < len(text); i += 1 + len(text)/16 {
		list = append(list, text[:i], text[i+1:], text[:i]+"?"+text[i+1:], text[:i+1]+text[i:])
	}
	return list
}

// A snapshot holds everything that a position answers, including the move order.
type snapshot struct {
	text     string
	hash     uint64
	turn     engine.Side
	check    bool
	outcome  engine.Outcome
	list     []engine.Move
	static   int // score, Over and captures of an Evaluator
	over     bool
	captures []engine.Move
}

func newSnapshot(p engine.Position) snapshot {
	s := snapshot{text: p.String(), hash: p.Hash(), turn: p.Turn(), check: p.Check(), outcome: p.Outcome(), list: p.Moves(nil)}
	if e, ok := p.(engine.Evaluator); ok {
		s.static, s.over, s.captures = e.Evaluate(), e.Over(), e.Captures(nil)
	}
	return s
}

// compare returns how p differs from the snapshot.
func (s snapshot) compare(p engine.Position) error {
	if err := s.compareQuickly(p); err != nil {
		return err
	}
	switch now := newSnapshot(p); {
	case now.turn != s.turn:
		return fmt.Errorf("side to move %d became %d", s.turn, now.turn)
	case now.check != s.check:
		return fmt.Errorf("check %t became %t", s.check, now.check)
	case now.outcome != s.outcome:
		return fmt.Errorf("outcome %v became %v", s.outcome, now.outcome)
	case !slices.Equal(now.list, s.list):
		return fmt.Errorf("list %x became %x", s.list, now.list)
	case !slices.Equal(now.captures, s.captures):
		return fmt.Errorf("captures %x became %x", s.captures, now.captures)
	case now.static != s.static || now.over != s.over:
		return fmt.Errorf("score %d (over %t) became %d (over %t)", s.static, s.over, now.static, now.over)
	}
	return nil
}

// compareQuickly compares text and hash only.
func (s snapshot) compareQuickly(p engine.Position) error {
	if text := p.String(); text != s.text {
		return fmt.Errorf("text became %q", text)
	}
	if hash := p.Hash(); hash != s.hash {
		return fmt.Errorf("hash %016x became %016x", s.hash, hash)
	}
	return nil
}

// undoRestores: Do and Undo of every legal move restore text and hash. For one random
// move, with further moves played and undone after it, they restore everything.
func undoRestores(v *visit) error {
	before := newSnapshot(v.p)
	for _, m := range before.list {
		v.p.Do(m)
		v.p.Undo()
		if err := before.compareQuickly(v.p); err != nil {
			return fmt.Errorf("after undoing %s: %w", v.p.FormatMove(m), err)
		}
	}
	if len(before.list) > 0 {
		m := v.pick(before.list)
		v.p.Do(m)
		v.playAndUndo(v.samplers[0], 8)
		v.p.Undo()
		if err := before.compare(v.p); err != nil {
			return fmt.Errorf("after undoing %s and its continuation: %w", v.p.FormatMove(m), err)
		}
	}
	v.playAndUndo(v.samplers[0], 1)
	if err := before.compare(v.p); err != nil {
		return fmt.Errorf("after undoing a drawn move: %w", err)
	}
	return nil
}

// wholeGames: games from the start run to their end or to MaxPlies, and some end by
// the rules. Undoing all their moves leads back to the start and no further.
func wholeGames(g target) error {
	p := g.New()
	start, ended := newSnapshot(p), 0
	games := max(g.Plies/5_000, 4)
	for game := range games {
		plies, src := 0, rand.NewPCG(uint64(game), 3)
		for plies < g.Game.MaxPlies && draw(p, src) {
			plies++
		}
		if p.Outcome() != engine.Ongoing {
			ended++
		}
		for range plies {
			p.Undo()
		}
		if err := start.compare(p); err != nil {
			return fmt.Errorf("game %d, %d plies undone: %w", game, plies, err)
		}
	}
	if ended == 0 {
		return fmt.Errorf("none of %d games ended within %d plies", games, g.Game.MaxPlies)
	}
	if !panics(p.Undo) {
		return errors.New("Undo does not panic at the start")
	}
	return nil
}
