package cotulenh

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine"
)

// The notation for people is the SAN of the published engine: docs/cotulenh-pgn.md describes it. A text stands for a
// whole turn. It does not name the square left unless rivals could reach the same target, of a rank it names the
// first digit only, and a deployment names neither. So a text may stand for several turns.

// State is what notation reads of a position, whatever the engine.
type State interface {
	engine.Position
	At(Square) Stack
	Session() (origin Square, open bool)
	Rest() uint8
}

// SAN returns a legal step in SAN, outside a turn: Tf6, Nbxc5, (TI)_b4, F@f4, Fg>&g1. It names the square left in full
// where less of it fits several steps.
func (p *Position) SAN(m engine.Move) string { return SAN(p, m) }

// TurnSAN implements engine.TurnNotation.
func (p *Position) TurnSAN(moves []engine.Move) (text string, sure bool) { return TurnSAN(p, moves) }

// ReadTurn implements engine.TurnNotation.
func (p *Position) ReadTurn(text string) ([][]engine.Move, error) { return ReadTurn(p, text) }

// SAN is Position.SAN for any engine.
func SAN(p State, m engine.Move) string {
	if m == Commit {
		return commitText
	}
	list := p.Moves(nil)
	text := stepSAN(p, m, rivalSquare(p, m, list))
	step, _ := parseSANStep(text)
	fits := func(o engine.Move) bool { return o != m && step.fits(p, o) }
	if slices.ContainsFunc(list, fits) {
		return stepSAN(p, m, Square(fromOf(m)).String())
	}
	return text
}

// stepSAN writes a step with what it says of the square left.
func stepSAN(p State, m engine.Move, from string) string {
	mark := effectMarks[effectOf(m)]
	if moverOf(m) >= Deploy {
		mark = ">" + mark
	}
	return strings.ToUpper(moved(p, m).String()) + from + mark + Square(toOf(m)).String()
}

// moved returns the stack that a step moves.
func moved(p State, m engine.Move) Stack { return p.At(Square(fromOf(m))).moving(moverOf(m)) }

// rivalSquare returns what tells the square left from those of the rivals of a step: other squares from which a lead
// of the same type goes to the same target. Of a rank it is the first digit, as the published engine has it.
func rivalSquare(p State, m engine.Move, list []engine.Move) string {
	from, lead := Square(fromOf(m)), moved(p, m).Lead()
	rivals, onFile, onRank := false, false, false
	for _, o := range list {
		other := Square(fromOf(o))
		if o == Commit || other == from || toOf(o) != toOf(m) || moved(p, o).Lead() != lead {
			continue
		}
		rivals = true
		onFile = onFile || other.File() == from.File()
		onRank = onRank || other.Rank() == from.Rank()
	}
	switch name := from.String(); {
	case !rivals:
		return ""
	case onFile && onRank:
		return name
	case onFile:
		return name[1:2]
	default:
		return name[:1]
	}
}

// members is a set of pieces of different types.
type members struct{ types, heroes uint16 }

func membersOf(s Stack) members { return members{infos[s&511].types, infos[s&511].heroes} }

// without returns the members of types that are not in a set.
func (m members) without(types uint16) members {
	return members{m.types &^ types, m.heroes &^ types}
}

// String writes the members as a stack, in upper case; "" for none.
func (m members) String() string { return codeOf(0, m.types, m.heroes&m.types).String() }

// parseMembers reads members as String writes them, in any order.
func parseMembers(text string) (m members, ok bool) {
	heroic := false
	for _, c := range []byte(strings.Trim(text, "()")) {
		if c == '+' {
			heroic = true
			continue
		}
		t, _ := typeOf(c | 0x20)
		bit := uint16(1) << t
		if m.types&bit != 0 {
			return m, false
		}
		m.types |= bit
		if heroic {
			m.heroes |= bit
		}
		heroic = false
	}
	return m, codeOf(0, m.types, 0) != Empty
}

// sanStep is what the text of a step says. Of a recombination, whose members leave one after the other, it is one text.
type sanStep struct {
	members
	file   int    // of the square left, -1 if the text does not say
	ranks  uint16 // printed ranks that the square left may have, one bit each
	deploy bool
	effect Effect
	to     Square
}

const (
	sanMembers = `\((?:\+?[CITMEAGSFNH]){2,3}\)|\+?[CITMEAGSFNH]`
	sanRank    = `1[0-2]|[1-9]`
)

var sanPattern = regexp.MustCompile(`^(` + sanMembers + `)([a-k]?)(` + sanRank + `)?(>?)([_x@&]?)([a-k](?:` + sanRank + `))$`)

// anyRank are all printed ranks.
const anyRank = 1<<(ranks+1) - 2

// parseSANStep reads the text of a step. A digit alone stands for all ranks that begin with it; a rank behind its file is
// exact.
func parseSANStep(text string) (s sanStep, ok bool) {
	part := sanPattern.FindStringSubmatch(text)
	if part == nil {
		return s, false
	}
	s = sanStep{file: -1, ranks: anyRank, deploy: part[4] != "", effect: Effect(slices.Index(effectMarks[:], part[5]))}
	s.members, ok = parseMembers(part[1])
	s.to, _ = ParseSquare(part[6])
	if part[2] != "" {
		s.file = int(part[2][0] - 'a')
	}
	n, err := strconv.Atoi(part[3])
	if err == nil {
		s.ranks = 1 << n
		if n == 1 && part[2] == "" {
			s.ranks |= 1<<10 | 1<<11 | 1<<12
		}
	}
	return s, ok
}

// fits reports whether the text describes a step of the side to move, apart from how the members are marked if it
// deploys.
func (s *sanStep) fits(p State, m engine.Move) bool {
	return m != Commit && s.fitsAs(membersOf(moved(p, m)), effectOf(m), m) && (moverOf(m) >= Deploy) == s.deploy
}

// fitsAs reports whether a step has the target and may have the origin, and moves the given members with an effect.
func (s *sanStep) fitsAs(who members, e Effect, m engine.Move) bool {
	from := Square(fromOf(m))
	return s.members == who && s.effect == e && Square(toOf(m)) == s.to &&
		(s.file < 0 || s.file == from.File()) && s.ranks>>from.PrintedRank()&1 != 0
}

// sanTurn is what the text of a turn says.
type sanTurn struct {
	stay       members   // of a deployment: those that stay
	steps      []sanStep // one, if the turn is no deployment
	deployment bool
	open       bool // the text ends with ...: the deployment goes on
}

// parseSANTurn reads the text of a turn. Marks of commentators are skipped.
func parseSANTurn(text string) (t sanTurn, ok bool) {
	text = strings.TrimRight(text, "!?#+")
	text, t.open = strings.CutSuffix(text, "...")
	stay, rest, found := strings.Cut(text, "<")
	if found {
		t.stay, ok = parseMembers(stay)
		if !ok || !stayPattern.MatchString(stay) {
			return t, false
		}
		text, t.deployment = rest, true
		if rest == "" {
			return t, !t.open
		}
	}
	for part := range strings.SplitSeq(text, ",") {
		s, ok := parseSANStep(part)
		if !ok || len(t.steps) == maxSANSteps {
			return t, false
		}
		t.steps = append(t.steps, s)
	}
	t.deployment = t.deployment || t.steps[0].deploy
	for _, s := range t.steps {
		if s.deploy != t.deployment {
			return t, false
		}
	}
	return t, t.deployment || len(t.steps) == 1 && !t.open
}

var stayPattern = regexp.MustCompile(`^(?:` + sanMembers + `)$`)

// maxSANSteps is the number of members of the largest stack.
const maxSANSteps = 3

// TurnSAN is Position.TurnSAN for any engine. All heroic marks of a deployment are those at its begin.
func TurnSAN(p State, moves []engine.Move) (text string, sure bool) {
	if moves[0] != Commit && moverOf(moves[0]) < Deploy {
		return SAN(p, moves[0]), true
	}
	text = deploymentSAN(p, moves)
	turns, err := ReadTurn(p, text)
	return text, err == nil && len(turns) == 1 && slices.Equal(turns[0], moves)
}

// deploymentSAN writes a deployment: the members that stay and <, then its steps. A member that joins one that landed
// before is written with it, as one step: (FT)>h8. A lead that joins its cargo is not.
func deploymentSAN(p State, moves []engine.Move) string {
	from, open := p.Session()
	if !open {
		from = Square(fromOf(moves[0]))
	}
	all, lead, us := deployable(p, from), p.At(from).Lead(), p.Turn()
	t, gone := sanTurn{}, uint16(0)
	for _, m := range moves {
		if m != Commit {
			who := membersOf(moved(p, m)).types
			gone |= who
			t.steps = addSANStep(t.steps, sanStep{members: members{who, all.heroes}, effect: effectOf(m), to: Square(toOf(m))}, who == 1<<lead)
		}
		p.Do(m)
	}
	t.stay, t.open = all.without(gone), p.Turn() == us
	for range moves {
		p.Undo()
	}
	return t.String()
}

// String writes a deployment.
func (t *sanTurn) String() string {
	var b strings.Builder
	b.WriteString(t.stay.String())
	if t.stay.types != 0 {
		b.WriteByte('<')
	}
	for i, s := range t.steps {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(s.members.String() + ">" + effectMarks[s.effect] + s.to.String())
	}
	if t.open {
		b.WriteString("...")
	}
	return b.String()
}

// addSANStep adds a step of a deployment, to the text of an earlier one whose member it joins.
func addSANStep(steps []sanStep, s sanStep, isLead bool) []sanStep {
	joined := slices.IndexFunc(steps, func(o sanStep) bool { return o.to == s.to && o.effect != Stay && o.effect != Suicide })
	if joined < 0 || s.effect != Join || isLead {
		return append(steps, s)
	}
	steps[joined].types |= s.types
	return steps
}

// deployable returns the members of the stack on a square that may deploy.
func deployable(p State, from Square) members {
	s := p.At(from)
	_, open := p.Session()
	if open {
		s = kept[s&511][p.Rest()&7]
	}
	return membersOf(s)
}

// ReadTurn is Position.ReadTurn for any engine. The error of a turn that only the published engine allows is an
// *engine.RulingError.
func ReadTurn(p State, text string) ([][]engine.Move, error) {
	t, ok := parseSANTurn(text)
	if !ok {
		return nil, fmt.Errorf("parse turn %q: no algebraic notation such as Tf6, Nbxc5, (TI)_b4 or N<F>g8", text)
	}
	turns := t.turns(p)
	if len(turns) > 0 {
		return turns, nil
	}
	err := fmt.Errorf("parse turn %q: not a legal turn here", text)
	ruling := rulingAgainst(p, &t)
	if ruling != "" {
		return nil, &engine.RulingError{Ruling: ruling, Err: err}
	}
	return nil, err
}

// turns returns the turns that the text may mean.
func (t *sanTurn) turns(p State) (turns [][]engine.Move) {
	if t.deployment {
		f := turnFinder{p: p, t: t, us: p.Turn()}
		return f.find()
	}
	_, open := p.Session()
	if open {
		return nil
	}
	for _, m := range p.Moves(nil) {
		if t.steps[0].fits(p, m) {
			turns = append(turns, []engine.Move{m})
		}
	}
	return turns
}

// turnFinder finds the deployments that a text may mean. Of those that end in the same position it keeps the first:
// cargo joins a lead as soon as that one has landed.
type turnFinder struct {
	p      State
	t      *sanTurn
	us     engine.Side
	origin Square

	moves []engine.Move // so far
	left  []sanStep     // members of a recombination that have not joined yet
	turns [][]engine.Move
	ends  []string // the positions after them
}

// find tries every stack that has the members of the text.
func (f *turnFinder) find() [][]engine.Move {
	origin, open := f.p.Session()
	if open {
		f.from(origin)
		return f.turns
	}
	for _, sq := range boardSquares {
		s := f.p.At(Square(sq))
		if s.HasCargo() && s.Side() == f.us {
			f.from(Square(sq))
		}
	}
	return f.turns
}

func (f *turnFinder) from(origin Square) {
	if f.t.hasMembers(deployable(f.p, origin)) {
		f.origin = origin
		f.next(0)
	}
}

// hasMembers reports whether the text names these members, each once, with their marks. A recombination may lack
// marks: the published engine drops them.
func (t *sanTurn) hasMembers(all members) bool {
	types, marked := t.stay.types, all.heroes&t.stay.types == t.stay.heroes
	for _, s := range t.steps {
		if types&s.types != 0 {
			return false
		}
		types |= s.types
		have := all.heroes & s.types
		marked = marked && (have == s.heroes || bits.OnesCount16(s.types) > 1 && s.heroes&^have == 0)
	}
	return types == all.types && marked
}

// next plays what may follow when the first steps of the text have begun.
func (f *turnFinder) next(begun int) {
	if f.p.Turn() != f.us || len(f.left) == 0 && begun == len(f.t.steps) {
		f.end(begun)
		return
	}
	for i := range f.left {
		s := f.left[i]
		f.left = slices.Delete(f.left, i, i+1)
		f.play(s, begun)
		f.left = slices.Insert(f.left, i, s)
	}
	if begun == len(f.t.steps) {
		return
	}
	s := f.t.steps[begun]
	order := codeOf(0, s.types, 0)
	for slot := range order.Size() { // which of the members of a recombination leaves first
		first, rest := s, len(f.left)
		for other := range order.Size() {
			bit := uint16(1) << (infos[order].kinds[other] >> 1)
			if other == slot {
				first.types = bit
			} else {
				f.left = append(f.left, sanStep{members: members{types: bit}, file: s.file, ranks: s.ranks, deploy: true, effect: Join, to: s.to})
			}
		}
		f.play(first, begun+1)
		f.left = f.left[:rest]
	}
}

// play plays the step of one member and goes on.
func (f *turnFinder) play(s sanStep, begun int) {
	for _, m := range f.p.Moves(nil) {
		if m == Commit || Square(fromOf(m)) != f.origin || moverOf(m) < Deploy {
			continue
		}
		who := members{types: membersOf(moved(f.p, m)).types}
		s.heroes = 0
		if !s.fitsAs(who, effectOf(m), m) {
			continue
		}
		f.p.Do(m)
		f.moves = append(f.moves, m)
		f.next(begun)
		f.moves = f.moves[:len(f.moves)-1]
		f.p.Undo()
	}
}

// end keeps the deployment if the text says no more and it may end here.
func (f *turnFinder) end(begun int) {
	open := f.p.Turn() == f.us
	if begun < len(f.t.steps) || len(f.left) > 0 || f.t.open != open && !(open && slices.Contains(f.p.Moves(nil), Commit)) {
		return
	}
	turn := slices.Clone(f.moves)
	if open && !f.t.open {
		f.p.Do(Commit)
		defer f.p.Undo()
		turn = append(turn, Commit)
	}
	end := f.p.String()
	if slices.Contains(f.ends, end) {
		return
	}
	f.turns, f.ends = append(f.turns, turn), append(f.ends, end)
}
