package movetext

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"selfplay/encode/chessdata"
	"selfplay/engine"
	"selfplay/engine/chess"
)

// pgnParser parses texts of splitPGN. It reads more than the standard's export format: see
// chess.Position.ParseSAN and pgnSplitter.
type pgnParser struct {
	*Parser
	moves  engine.Algebraic  // the position, nil if the notation writes turns
	turns  *turnReader       // nil if it writes moves
	at     int               // the next byte of t
	tags   map[string][]byte // values of tag pairs, by name
	names  sideNames
	scores scoreList
	text   []byte // of a comment, with single spaces; reused

	wordLen func(text []byte) int // length of the word with which a text begins
}

func newPGNParser(p *Parser) func(t *Text, r *engine.Record) error {
	parser := &pgnParser{Parser: p, tags: map[string][]byte{}, names: namesOf(p.game), wordLen: wordLen}
	pos, ok := p.pos.(engine.TurnNotation)
	if ok {
		parser.turns, parser.wordLen = &turnReader{pos: pos}, turnWordLen
	} else {
		parser.moves = p.pos.(engine.Algebraic)
	}
	return parser.parse
}

func (p *pgnParser) parse(t *Text, r *engine.Record) error {
	p.at = 0
	clear(p.tags)
	p.scores.reset()
	if p.turns != nil {
		p.turns.reset()
	}
	if err := p.readTags(); err != nil {
		return err
	}
	begin := p.at
	err := p.checkVariant()
	if err == nil && p.turns == nil {
		r.Start, err = p.setUp()
	}
	if err != nil {
		return t.fault(0, err)
	}
	r.Players = [2]string{p.taggedPlayer("White"), p.taggedPlayer("Black")}
	marker, err := p.readMoves(r)
	if err != nil {
		return err
	}
	if t.Cut {
		p.note(CutComments, nil, 0)
	}
	if len(r.Actions) == 0 {
		return t.fault(min(begin, len(t.Bytes)), ErrNoMoves)
	}
	if r.Outcome, err = p.outcome(marker); err != nil {
		return t.fault(0, err)
	}
	p.scores.addTo(r)
	p.keepTags(r)
	return nil
}

func (p *pgnParser) taggedPlayer(tag string) string {
	return cmp.Or(p.playerName(p.tags[p.names.tag(tag)]), "?")
}

// readTags reads the tag pairs, up to the first move or comment that no tag follows.
func (p *pgnParser) readTags() error {
	b := p.t.Bytes
	for p.skipToTag(); p.at < len(b) && b[p.at] == '['; p.skipToTag() {
		name, value, size, ok := cutTag(b[p.at:])
		if !ok {
			return p.t.fault(p.at, errors.New(`invalid tag: want [Name "value"]`))
		}
		earlier, given := p.tags[string(name)]
		if given && !bytes.Equal(earlier, value) && slices.Contains(decisiveTags, string(name)) {
			return p.t.fault(p.at, fmt.Errorf("tag %s is given twice: %q and %q", name, plainName(earlier), plainName(value)))
		}
		p.at += size
		p.tags[string(name)] = value
	}
	return nil
}

// decisiveTags are those that say what was played, and to what end.
var decisiveTags = []string{"FEN", "Result", "Variant"}

// skipToTag skips blanks, and comments that a tag pair follows.
func (p *pgnParser) skipToTag() {
	p.skipBlank()
	begin, b := p.at, p.t.Bytes
	for p.at < len(b) && (b[p.at] == '{' || b[p.at] == ';') {
		_, err := p.comment()
		if err != nil {
			break
		}
		p.skipBlank()
	}
	if p.at < len(b) && b[p.at] != '[' {
		p.at = begin
	}
}

// cutTag cuts the tag pair with which a text begins. In the value, \" and \\ stand for " and
// \, and a quote that no bracket follows is part of it, because many files do not escape it. Nor do they escape a \ at
// the end.
func cutTag(text []byte) (name, value []byte, size int, ok bool) {
	end := bytes.IndexByte(text, '\n')
	if end < 0 {
		end = len(text)
	}
	line := text[:end]
	open := bytes.IndexByte(line, '"')
	if open < 0 {
		return nil, nil, 0, false
	}
	if name = bytes.TrimSpace(line[1:open]); len(name) == 0 || bytes.ContainsAny(name, "[]{} \t") {
		return nil, nil, 0, false
	}
	for at := open + 1; at < len(line); at++ {
		switch c := line[at]; {
		case c == '\\' && at+1 < len(line) && (line[at+1] == '"' && !endsTag(line[at+2:]) || line[at+1] == '\\'):
			at++
			value = append(value, line[at])
		case c == '"' && closesTag(line[at+1:]) > 0:
			return name, value, at + 1 + closesTag(line[at+1:]), true
		default:
			value = append(value, c)
		}
	}
	return nil, nil, 0, false
}

// endsTag reports whether a closing bracket comes next, and then a tag pair or nothing.
func endsTag(text []byte) bool {
	rest := bytes.TrimSpace(text[closesTag(text):])
	return closesTag(text) > 0 && (len(rest) == 0 || rest[0] == '[')
}

// closesTag returns the length of blanks and a closing bracket with which a text begins, or 0.
func closesTag(text []byte) int {
	rest := bytes.TrimLeft(text, " \t")
	if len(rest) == 0 || rest[0] != ']' {
		return 0
	}
	return len(text) - len(rest) + 1
}

// plainVariants are the values of the tag Variant for chess, in lower case; variants960 those for Chess960.
var (
	plainVariants = []string{"", "?", "chess", "normal", "standard", "from position"}
	variants960   = []string{"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "freestyle"}
)

// checkVariant refuses a game of another variant. A game of standard chess is one of Chess960.
func (p *pgnParser) checkVariant() error {
	v := strings.ToLower(string(p.tags["Variant"]))
	is960 := slices.Contains(variants960, v)
	switch {
	case !isChess(p.pos) && (v == "" || v == "?" || v == strings.ToLower(p.game.Name)):
		return nil
	case !isChess(p.pos):
	case slices.Contains(plainVariants, v) || is960 && isChess960(p.pos):
		return nil
	case is960 && isStandardChess(p.pos):
		return fmt.Errorf("the game is of the variant %q: import it with --variant %s", plainName(p.tags["Variant"]), chess.Chess960)
	}
	return fmt.Errorf("the game is of the variant %q", plainName(p.tags["Variant"]))
}

// setUp sets up the first position and returns its text.
func (p *pgnParser) setUp() (start string, err error) {
	fen, dropped := chessdata.RepairFEN(p.fen(), !isChess960(p.pos))
	if dropped {
		p.note(DroppedRights, p.tags["FEN"], 0)
	}
	if start, err = p.begin(fen); err != nil {
		err = fmt.Errorf("tag FEN: %w", err)
	}
	return start, err
}

// outcome returns the outcome of the moves on the board, given their termination marker.
func (p *pgnParser) outcome(marker engine.Result) (engine.Outcome, error) {
	text := string(p.tags["Result"])
	tag, known := pgnResult([]byte(text))
	if tag != engine.NoResult && marker != engine.NoResult && tag != marker {
		return engine.Ongoing, fmt.Errorf("the tag Result is %s, but the moves are followed by another result", text)
	}
	o, err := p.settle(max(tag, marker))
	if err == nil && o.Reason == engine.PlyLimit && !known && text != "" && text != "?" {
		err = fmt.Errorf("tag Result: %q: want 1-0, 0-1, 1/2-1/2 or *", plainName([]byte(text)))
	}
	return o, err
}

// pgnResult returns the result of a termination marker, and whether the word is one.
func pgnResult(word []byte) (engine.Result, bool) {
	if len(word) == 0 || word[0] > '1' && word[0] < utf8.RuneSelf { // as nearly all moves
		return engine.NoResult, false
	}
	switch string(plainResult(word)) {
	case "1-0":
		return engine.FirstWins, true
	case "0-1":
		return engine.SecondWins, true
	case "1/2-1/2", "1/2":
		return engine.Draw, true
	}
	return engine.NoResult, string(word) == "*"
}

var resultSigns = strings.NewReplacer("½", "1/2", "‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "−", "-", "\u0096", "-", "\u0097", "-")

// plainResult returns a word with ½ and dashes as ASCII has them.
func plainResult(word []byte) []byte {
	if bytes.ContainsFunc(word, func(c rune) bool { return c >= utf8.RuneSelf }) {
		return []byte(resultSigns.Replace(utf8Text(word)))
	}
	return word
}
