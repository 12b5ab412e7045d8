package movetext

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// pgnParser parses texts of splitPGN. It reads more than the standard's export format: see
// chess.Position.ParseSAN and pgnSplitter.
type pgnParser struct {
	*Parser
	pos    engine.Algebraic
	t      *Text
	at     int               // the next byte of t
	tags   map[string][]byte // values of tag pairs, by name
	scores scoreList
}

func newPGNParser(p *Parser) func(t *Text, r *engine.Record) error {
	parser := &pgnParser{Parser: p, pos: p.pos.(engine.Algebraic), tags: map[string][]byte{}}
	return parser.parse
}

func (p *pgnParser) parse(t *Text, r *engine.Record) error {
	p.t, p.at = t, 0
	clear(p.tags)
	p.scores.reset()
	if err := p.readTags(); err != nil {
		return err
	}
	begin := p.at
	var err error
	if r.Start, err = p.setUp(); err != nil {
		return t.fault(0, err)
	}
	r.Players = [2]string{p.taggedPlayer("White"), p.taggedPlayer("Black")}
	marker, err := p.readMoves(r)
	if err != nil {
		return err
	}
	if len(r.Actions) == 0 {
		return t.fault(min(begin, len(t.Bytes)), errNoMoves)
	}
	if r.Outcome, err = p.outcome(marker); err != nil {
		return t.fault(0, err)
	}
	p.scores.addTo(r)
	p.keepTags(r)
	return nil
}

func (p *pgnParser) taggedPlayer(tag string) string { return cmp.Or(p.playerName(p.tags[tag]), "?") }

// readTags reads the tag pairs, up to the first move or comment that no tag follows.
func (p *pgnParser) readTags() error {
	b := p.t.Bytes
	for p.skipBlank(); p.at < len(b) && b[p.at] == '['; p.skipBlank() {
		name, value, size, ok := cutTag(b[p.at:])
		if !ok {
			return p.t.fault(p.at, errors.New(`invalid tag: want [Name "value"]`))
		}
		p.at += size
		p.tags[string(name)] = value
	}
	return nil
}

// cutTag cuts the tag pair with which a text begins. In the value, \" and \\ stand for " and
// \, and a quote that no bracket follows is part of it, because many files do not escape it.
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
		case c == '\\' && at+1 < len(line) && (line[at+1] == '"' || line[at+1] == '\\'):
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
	case slices.Contains(plainVariants, v) || is960 && isChess960(p.pos):
		return nil
	case is960 && isStandardChess(p.pos):
		return fmt.Errorf("the game is of the variant %q: import it with --variant %s", plainName(p.tags["Variant"]), chess.Chess960)
	}
	return fmt.Errorf("the game is of the variant %q", plainName(p.tags["Variant"]))
}

// setUp sets up the first position and returns its text.
func (p *pgnParser) setUp() (start string, err error) {
	if err := p.checkVariant(); err != nil {
		return "", err
	}
	if string(p.tags["SetUp"]) == "0" {
		return p.begin("")
	}
	fields := strings.Fields(string(p.tags["FEN"]))
	if len(fields) == 4 { // as in EPD
		fields = append(fields, "0", "1")
	}
	if start, err = p.begin(strings.Join(fields, " ")); err != nil {
		err = fmt.Errorf("tag FEN: %w", err)
	}
	return start, err
}

// outcome returns the outcome of the moves on the board, given their termination marker.
func (p *pgnParser) outcome(marker engine.Result) (engine.Outcome, error) {
	tag, _ := pgnResult(p.tags["Result"])
	if tag != engine.NoResult && marker != engine.NoResult && tag != marker {
		return engine.Ongoing, fmt.Errorf("the tag Result is %s, but the moves end with another result", p.tags["Result"])
	}
	return p.settle(max(tag, marker))
}

// pgnResult returns the result of a termination marker, and whether the word is one.
func pgnResult(word []byte) (engine.Result, bool) {
	switch string(word) {
	case "1-0":
		return engine.FirstWins, true
	case "0-1":
		return engine.SecondWins, true
	case "1/2-1/2":
		return engine.Draw, true
	}
	return engine.NoResult, string(word) == "*"
}
