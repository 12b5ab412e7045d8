package movetext

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"selfplay/encode"
	"selfplay/encode/chessdata"
	"selfplay/engine"
)

// MaxText is the largest number of bytes of the text of one game, and of one line.
const MaxText = 16 << 20

// Text is the text of a game in a file. It need not be a valid one.
type Text struct {
	Number  int // of the game in the file, from 1
	Place       // where the text begins
	Bytes   []byte
	TooLong bool // the text has more than MaxText bytes, and Bytes only the first of them

	game *chessdata.Game     // of a file of positions, in place of Bytes
	bad  *chessdata.RowError // of the position after its moves
}

// Place is a place in a file: a line and a column, a position, or a byte.
type Place struct {
	Line     int   `json:"line,omitempty"`     // from 1
	Column   int   `json:"column,omitempty"`   // from 1, in bytes
	Byte     int64 `json:"byte,omitempty"`     // from 0, in a file without lines
	Position int   `json:"position,omitempty"` // from 1, in a file of positions without lines
}

// Pairs returns the name of each number of the place, followed by the number.
func (p Place) Pairs() []any {
	switch {
	case p.Line > 0:
		return []any{"line", p.Line, "column", p.Column}
	case p.Position > 0:
		return []any{"position", p.Position}
	}
	return []any{"byte", p.Byte}
}

func (p Place) String() string { return strings.TrimSuffix(fmt.Sprintln(p.Pairs()...), "\n") }

// ReadError says where and why the text of a game cannot be taken.
type ReadError struct {
	Place
	Err error
}

func (e *ReadError) Error() string { return fmt.Sprintf("%s: %v", e.Place, e.Err) }
func (e *ReadError) Unwrap() error { return e.Err }

// fault returns the error of the byte at an offset of a text.
func (t *Text) fault(offset int, err error) error {
	if t.Line == 0 {
		return &ReadError{Place{Byte: t.Byte + int64(offset)}, err}
	}
	before := t.Bytes[:offset]
	at := Place{Line: t.Line + bytes.Count(before, []byte{'\n'}), Column: t.Column + offset}
	if last := bytes.LastIndexByte(before, '\n'); last >= 0 {
		at.Column = offset - last
	}
	return &ReadError{at, err}
}

// Split yields the texts of the games in r, in order, each with memory of its own. An error
// ends the sequence: the file cannot be read, or is no text.
func (f Form) Split(r io.Reader) iter.Seq2[Text, error] { return f.split(r) }

// Parser turns texts into records. It plays every move by the rules. It belongs to one
// goroutine.
type Parser struct {
	game   encode.Game
	pos    engine.Position
	edited int // names of the last game; see playerName
	parse  func(t *Text, r *engine.Record) error
}

// NewParser returns a parser of texts of a game. It returns an error if the game has no such
// notation.
func (f Form) NewParser(g encode.Game, variant string) (*Parser, error) {
	if err := f.check("read", g, variant); err != nil {
		return nil, err
	}
	p := &Parser{game: g, pos: g.New(variant)}
	p.parse = f.parser(p)
	return p, nil
}

// Parse sets r to the game of a text, without its number. The error is a *ReadError; then r is
// of no use. Parse keeps neither t nor r.
func (p *Parser) Parse(t Text, r *engine.Record) error {
	r.Reset()
	p.edited = 0
	if t.TooLong {
		return t.fault(0, fmt.Errorf("the game has more than %d MiB", MaxText>>20))
	}
	err := p.parse(&t, r)
	if err == nil {
		markOpening(r)
	}
	return err
}

// EditedNames returns how many names of players of the last game were cut, or lost characters that are
// not printed, such as those that turn the direction of text.
func (p *Parser) EditedNames() int { return p.edited }

// playerName returns a name as printable text of at most maxTag bytes.
func (p *Parser) playerName(name []byte) string {
	text := plainName(name)
	clean := printable(strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return ' '
		}
		return c
	}, text))
	if clean != text {
		p.edited++
	}
	return clean
}

// markOpening gives the rank of a random move to the plies of the opening: those that the text states, and
// in a game with scores those before the first one. Other plies without a score keep the rank of the
// best move: the text does not say how they were chosen.
func markOpening(r *engine.Record) {
	plies := max(int(r.OpeningPlies), slices.IndexFunc(r.Nodes, func(n uint32) bool { return n > 0 }))
	for ply := range plies {
		r.MoveRanks[ply] = engine.RankRandom
	}
}

// begin sets the position to the start of a game and returns its canonical text, "" for the
// start of the game.
func (p *Parser) begin(text string) (start string, err error) {
	p.pos.Reset()
	first := p.pos.String()
	if text == "" {
		return "", nil
	}
	if err := engine.Begin(p.pos, text); err != nil {
		return "", err
	}
	if start = p.pos.String(); start == first {
		return "", nil
	}
	return start, nil
}

// maxPlies is the number of decisions that a record can hold.
const maxPlies = 1<<16 - 1

var (
	errNoMoves   = errors.New("the game has no moves")
	errTooLong   = fmt.Errorf("the game has more than %d plies", maxPlies)
	errZeroBytes = errors.New("it has bytes of value zero: want text in UTF-8 or Latin-1")
)

// play plays a move and appends it to the record.
func (p *Parser) play(m engine.Move, r *engine.Record) {
	r.Actions = append(r.Actions, p.game.Actions.Number(m))
	r.MoveRanks = append(r.MoveRanks, engine.RankBest)
	p.pos.Do(m)
}

// addScore adds the score of the next ply, which has nodes 0 if it has none. The best move is the
// one that was played: files name no other.
func addScore(r *engine.Record, score int16, nodes uint32) {
	r.Best = append(r.Best, r.Actions[len(r.Best)])
	r.Scores, r.Nodes = append(r.Scores, score), append(r.Nodes, nodes)
	r.PolicySize = append(r.PolicySize, 0)
}

// isClaim reports whether a game may go on although the rules of this program end it: players
// have to claim these draws, or neither player claimed them.
func isClaim(reason engine.Reason) bool {
	return reason == engine.Repetition || reason == engine.Fifty || reason == engine.Material
}

// settle returns the outcome of the game on the board, given the result that the text states.
// A result that the rules do not give was agreed, resigned or adjudicated.
func (p *Parser) settle(said engine.Result) (engine.Outcome, error) {
	have := p.pos.Outcome()
	switch {
	case said == engine.NoResult && have == engine.Ongoing:
		return engine.Outcome{Result: engine.NoResult, Reason: engine.PlyLimit}, nil
	case said == engine.NoResult, said == have.Result:
		return have, nil
	case have == engine.Ongoing, isClaim(have.Reason):
		return engine.Outcome{Result: said, Reason: engine.Adjudicated}, nil
	}
	return have, fmt.Errorf("the moves end with %s, which is another result", p.game.ReasonName(have.Reason))
}

// plainName returns a name as valid UTF-8 without control characters. A name that is not UTF-8
// is read as Latin-1.
func plainName(name []byte) string {
	text := string(name)
	if !utf8.Valid(name) {
		var b strings.Builder
		for _, c := range name {
			b.WriteRune(rune(c))
		}
		text = b.String()
	}
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text)
}

// lines reads a text line by line.
type lines struct {
	r      *bufio.Reader
	number int // of the last line, from 1
	buffer []byte
}

func newLines(r io.Reader) *lines {
	l := &lines{r: bufio.NewReaderSize(r, 64<<10)}
	if mark, _ := l.r.Peek(3); string(mark) == "\xef\xbb\xbf" { // a byte order mark
		_, _ = l.r.Discard(3)
	}
	return l
}

// next returns the next line with its end, valid until the next call; io.EOF after the last.
func (l *lines) next() ([]byte, error) {
	l.buffer = l.buffer[:0]
	l.number++
	for {
		part, err := l.r.ReadSlice('\n')
		l.buffer = append(l.buffer, part...)
		switch {
		case len(l.buffer) > MaxText:
			return nil, fmt.Errorf("line %d has more than %d MiB", l.number, MaxText>>20)
		case bytes.IndexByte(part, 0) >= 0:
			return nil, fmt.Errorf("line %d: %w", l.number, errZeroBytes)
		case err == nil, errors.Is(err, io.EOF) && len(l.buffer) > 0:
			return l.buffer, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
