package enginetest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplay/engine"
)

// Rules tests a game with a file of cases: positions, and what the rules say about them.
//
// A line of the file is one case: fields with | between them, in quotes if they begin or end
// with a blank. A line "[QUERY] COLUMN | COLUMN" says what the cases below it ask of a position
// (queries), and what their fields are. These columns have a meaning for all queries:
//
//	rule     what the case shows
//	text     the position
//	played   moves to play there, with ; between them
//	variant  a variant of the game; a case without it holds in all variants
//	want     the answer, "true" without this column
//
// A line "== TITLE" begins a group of cases, and a line "let NAME = TEXT" names a text for the
// lines below it; "start" is the start of the game. Lines that begin with # are comments.
//
// A case is asked of the position as played and of one that is read from its text, except for
// the outcome, which depends on the history too. No query may change the position.
type Rules struct {
	Game    engine.Game
	Path    string
	Text    func(text string) string // translates the positions of the file; nil keeps them
	Queries map[string]Query         // queries of this game alone
}

// A Query asks something of a position. A slice is a list in any order, an error is the answer
// that there is none, other values are compared as texts.
type Query func(p engine.Position, c Case) any

// A Case is one line of a file of rules. Its fields go by the names of the columns.
type Case struct {
	group, query string
	line         int
	fields       map[string]string
}

// Field returns the field in a column, "" if the case has none.
func (c Case) Field(column string) string { return c.fields[column] }

// Move returns the move in column "move".
func (c Case) Move(p engine.Position) (engine.Move, error) { return p.ParseMove(c.Field("move")) }

// Run runs each case as a subtest.
func (r Rules) Run(t *testing.T) {
	for _, c := range r.read(t) {
		t.Run(c.group+"/"+c.Field("rule"), func(t *testing.T) {
			variants := (Suite{Game: r.Game}).variants()
			if only := c.Field("variant"); only != "" {
				variants = []string{only}
			}
			for _, variant := range variants {
				if err := r.check(c, variant); err != nil {
					t.Errorf("%s, line %d: %v", r.Path, c.line, err)
				}
			}
		})
	}
}

// check asks a case of a variant. It returns what is wrong.
func (r Rules) check(c Case, variant string) error {
	query, p, read := r.query(c.query), r.Game.New(variant), r.Game.New(variant)
	if query == nil {
		return fmt.Errorf("unknown query %q", c.query)
	}
	if c.query == "rejects" {
		return compare(c, p, query)
	}
	if err := c.begin(p); err != nil {
		return err
	}
	if err := read.Set(p.String()); err != nil || read.Hash() != p.Hash() {
		return fmt.Errorf("%s is read as %s, %w", p, read, err)
	}
	if err := compare(c, p, query); err != nil || slices.Contains(ofHistory, c.query) {
		return err
	}
	return compare(c, read, query)
}

// ofHistory are the queries whose answer does not depend on the text alone.
var ofHistory = []string{"outcome", "repetitions"}

// begin sets up the position of a case and plays its moves.
func (c Case) begin(p engine.Position) error {
	if err := p.Set(c.Field("text")); err != nil {
		return err
	}
	for _, text := range strings.FieldsFunc(c.Field("played"), func(r rune) bool { return r == ';' }) {
		m, err := p.ParseMove(strings.TrimSpace(text))
		if err != nil {
			return fmt.Errorf("at %s: %w", p, err)
		}
		p.Do(m)
	}
	return nil
}

// compare compares the answer with the one wanted. The query must not change the position.
func compare(c Case, p engine.Position, query Query) error {
	before, want := p.String(), c.Field("want")
	got := query(p, c)
	if list, isList := got.([]string); isList {
		wanted := strings.Fields(want)
		slices.Sort(wanted)
		slices.Sort(list)
		got, want = list, fmt.Sprint(wanted)
	}
	if fmt.Sprint(got) != want {
		return fmt.Errorf("%s: %v, want %s", before, got, want)
	}
	if p.String() != before {
		return fmt.Errorf("query %q changes %s to %s", c.query, before, p)
	}
	return nil
}

// read returns the cases of the file. A group without a title has that of its query.
func (r Rules) read(t *testing.T) (cases []Case) {
	t.Helper()
	data, err := os.ReadFile(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	var group, query string
	var columns []string
	names := map[string]string{"start": r.Game.New("").String()}
	for n, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "== "):
			group = line[len("== "):]
		case strings.HasPrefix(line, "let "):
			name, text, _ := strings.Cut(line[len("let "):], " = ")
			names[name] = text
		case line[0] == '[':
			name, list, _ := strings.Cut(line[1:], "] ")
			query, columns = name, split(list, "|")
		default:
			fields := split(line, "|")
			if len(fields) != len(columns) {
				t.Fatalf("%s, line %d: %d fields, want %q", r.Path, n+1, len(fields), columns)
			}
			c := Case{cmp.Or(group, query), query, n + 1, map[string]string{"want": "true"}}
			for i, column := range columns {
				c.fields[column] = fields[i]
			}
			r.translate(c, names)
			cases = append(cases, c)
		}
	}
	return cases
}

// split splits a text, cuts the blanks around its parts, and reads parts in quotes.
func split(text, separator string) []string {
	list := strings.Split(text, separator)
	for i, part := range list {
		list[i] = strings.TrimSpace(part)
		if quoted, err := strconv.Unquote(list[i]); err == nil {
			list[i] = quoted
		}
	}
	return list
}

// translate replaces the positions of a case by texts that Set reads.
func (r Rules) translate(c Case, names map[string]string) {
	columns := []string{"text", "worse"}
	if c.query == "leads" {
		columns = append(columns, "want")
	}
	for _, column := range columns {
		text := c.fields[column]
		if named, ok := names[text]; ok {
			c.fields[column] = named
		} else if r.Text != nil {
			c.fields[column] = r.Text(text)
		}
	}
}

// query returns what the name of a query asks.
func (r Rules) query(name string) Query {
	switch name {
	case "rejects": // the error of Set, such as "FEN_INVALID_PIECE lexical rank 5 column 2"
		return rejection
	case "leads": // to which position
		return func(p engine.Position, _ Case) any { return p.String() }
	case "moves": // the legal moves; of those that begin with "of" and end with a word of "to", the rest
		return func(p engine.Position, c Case) any {
			return MovesOf(p, c.Field("of"), strings.Fields(c.Field("to"))...)
		}
	case "legal": // whether "move" is legal
		return isLegal
	case "check":
		return func(p engine.Position, _ Case) any { return p.Check() }
	case "clocks": // what follows the board in the text of the position
		return func(p engine.Position, _ Case) any { _, rest, _ := strings.Cut(p.String(), " "); return rest }
	case "outcome": // such as "white checkmate", "draw fifty" and "ongoing"
		return func(p engine.Position, _ Case) any { return OutcomeText(r.Game, p.Outcome()) }
	case "better": // whether the score is higher than that of "worse"
		return r.isBetter
	case "gain": // whether that of "move" is from "least" to "most"
		return gain
	case "turns": // how many moves begin a turn, and in how many positions it can end
		return turns
	case "why": // the obstacle of "wish", such as "range e7: The tank goes 2 cells at most, and e7 is 3 away."
		return why
	case "canonical": // whether "move" continues its turn in canonical order
		return isCanonical
	}
	return r.Queries[name]
}

// MovesOf returns the legal moves that begin with a text and end with one of the given texts,
// or with anything if there are none. It cuts the beginning. "e1" does not begin "e12".
func MovesOf(p engine.Position, of string, to ...string) (list []string) {
	for _, move := range moveTexts(p) {
		rest, found := strings.CutPrefix(move, of)
		if !found || of != "" && rest[0] >= '0' && rest[0] <= '9' {
			continue
		}
		if len(to) == 0 || slices.ContainsFunc(to, func(end string) bool { return strings.HasSuffix(rest, end) }) {
			list = append(list, rest)
		}
	}
	return list
}

// OutcomeText returns the winner, or draw, and the reason.
func OutcomeText(g engine.Game, o engine.Outcome) string {
	switch o.Result {
	case engine.FirstWins:
		return g.Sides[engine.First] + " " + o.Reason.String()
	case engine.SecondWins:
		return g.Sides[engine.Second] + " " + o.Reason.String()
	case engine.Draw:
		return "draw " + o.Reason.String()
	default:
		return "ongoing"
	}
}

// isLegal reports whether Moves lists a move. ParseMove must agree.
func isLegal(p engine.Position, c Case) any {
	listed := slices.Contains(moveTexts(p), c.Field("move"))
	if _, err := c.Move(p); (err == nil) != listed {
		return fmt.Errorf("listed: %t, but ParseMove returns %v", listed, err)
	}
	return listed
}

func (r Rules) isBetter(p engine.Position, c Case) any {
	worse := r.Game.New("").(engine.Evaluator)
	if err := worse.Set(c.Field("worse")); err != nil {
		return err
	}
	return p.(engine.Evaluator).Evaluate() > worse.Evaluate()
}

func gain(p engine.Position, c Case) any {
	m, err := c.Move(p)
	least, err1 := strconv.Atoi(c.Field("least"))
	most, err2 := strconv.Atoi(c.Field("most"))
	if err := errors.Join(err, err1, err2); err != nil {
		return err
	}
	if got := p.(engine.Evaluator).Gain(m); got < least || got > most {
		return fmt.Sprintf("gain %d", got)
	}
	return true
}

func isCanonical(p engine.Position, c Case) any {
	m, err := c.Move(p)
	if err != nil {
		return err
	}
	return p.(engine.Orderer).Canonical(m)
}

// why returns the obstacle of a wish: two squares, with the letter of a piece of a stack before them and the way behind
// them, such as "F c4 e4" and "b4 c4 stay"; a tile comes last, behind a +: "a5 a4 +c3b". A way alone is a wish without
// squares.
func why(p engine.Position, c Case) any {
	var w engine.Wish
	move, tile, _ := strings.Cut(c.Field("wish"), "+")
	w.Tile = tile
	words := strings.Fields(move)
	if len(words) > 2 && len(words[0]) == 1 {
		w.Piece, words = words[0], words[1:]
	}
	if len(words) > 1 {
		w.From, w.To, words = words[0], words[1], words[2:]
	}
	if len(words) > 0 {
		w.Way = engine.Way(words[0])
	}
	o := p.(engine.Arbiter).Obstacle(w)
	if o.Why == engine.NoObstacle {
		return "legal"
	}
	return fmt.Sprintf("%s: %s", strings.TrimSpace(o.Why.String()+" "+o.At), o.Text)
}

// rejection returns kind and category of the error with which a new position rejects the text,
// and rank and column if the error has them.
func rejection(p engine.Position, c Case) any {
	err := p.Set(c.Field("text"))
	if broken := checkTextError(err); broken != nil {
		return broken
	}
	var e *engine.TextError
	errors.As(err, &e)
	if e.Rank == 0 {
		return e.Kind + " " + e.Category
	}
	return fmt.Sprintf("%s %s rank %d column %d", e.Kind, e.Category, e.Rank, e.Column)
}

func turns(p engine.Position, _ Case) any {
	_, ends := TurnEnds(p, func(engine.Move) bool { return true })
	return fmt.Sprintf("%d moves, %d ends", len(p.Moves(nil)), len(ends))
}

// TurnEnds plays all sequences of moves that end the turn, of those moves that keep accepts. It
// returns how many there are, and the texts of the positions in which they end.
func TurnEnds(p engine.Position, keep func(engine.Move) bool) (sequences int, ends map[string]bool) {
	side, ends := p.Turn(), map[string]bool{}
	var explore func()
	explore = func() {
		if p.Turn() != side {
			sequences++
			ends[p.String()] = true
			return
		}
		for _, m := range p.Moves(nil) {
			if keep(m) {
				p.Do(m)
				explore()
				p.Undo()
			}
		}
	}
	explore()
	return sequences, ends
}
