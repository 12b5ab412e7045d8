package board

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// The pages of docs/games have fenced blocks "example", whose lines are claims about the rules, and
// a picture before some of them; so has docs/NAME-pgn.md, if a game has that page. Lists are separated by semicolons. The lines of a block:
//
//	position TEXT        set up a position, "start" for the first; the picture shows it
//	to CELL: CELLS       exactly these destinations; the picture marks them
//	moves CELL: MOVES    exactly these moves of the piece there
//	illegal MOVES        none of these is legal
//	play MOVES           play them
//	gives TEXT           the text of the position after them
//	check                the side to move is in check
//	ends RESULT, REASON  how the game ended
//	array N-M: NUMBERS   these elements of the array
//	action MOVE = N      the number of a move
//	san MOVE = TEXT      a move as players write it

const gamePages = "../../../docs/games"

var (
	pagePicture  = regexp.MustCompile(`<img src="([^"]+\.svg)"`)
	pageExamples = regexp.MustCompile("(?s)```example\n(.*?)```|<img src=\"[^\"]+\\.svg\"[^>]*>")
)

// TestPagesOfGames checks every example against the engine, and every picture against a fresh
// drawing; -update draws them again.
func TestPagesOfGames(t *testing.T) {
	pictures := map[string]bool{}
	for _, g := range encode.Games() {
		page := string(must.Get(os.ReadFile(filepath.Join(gamePages, g.Name+".md")))(t))
		checkNames(t, &g, page)
		pending := ""
		for _, m := range pageExamples.FindAllStringSubmatch(page+pgnPage(t, g.Name), -1) {
			if p := pagePicture.FindStringSubmatch(m[0]); p != nil {
				if pending != "" {
					t.Errorf("%s: picture %s has no example", g.Name, pending)
				}
				pending = p[1]
				continue
			}
			e := example{T: t, g: &g, pos: g.New("")}
			e.run(m[1])
			if pending != "" {
				pictures[pending] = true
				e.compare(pending)
			}
			pending = ""
		}
	}
	checkPictures(t, pictures)
}

// pgnPage returns the page about the PGN of a game, "" if the game has none.
func pgnPage(t *testing.T, game string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(gamePages, "..", game+"-pgn.md"))
	if !errors.Is(err, fs.ErrNotExist) {
		must.Do(t, err)
	}
	return string(text)
}

// checkNames finds the name of each piece and of each reason for the end of a game on its page.
func checkNames(t *testing.T, g *encode.Game, page string) {
	t.Helper()
	for _, k := range g.Board.Kinds {
		if !strings.Contains(page, k.Name) {
			t.Errorf("%s: no %s on the page", g.Name, k.Name)
		}
	}
	for _, r := range g.AllReasons() {
		if name := g.ReasonName(r); name != "" && !strings.Contains(page, "`"+name+"`") {
			t.Errorf("%s: no reason `%s` on the page", g.Name, name)
		}
	}
}

// checkPictures finds pictures that no page shows.
func checkPictures(t *testing.T, shown map[string]bool) {
	t.Helper()
	for _, path := range must.Get(filepath.Glob(filepath.Join(gamePages, "*.svg")))(t) {
		if !shown[filepath.Base(path)] {
			t.Errorf("no page shows %s", path)
		}
	}
}

// An example is a block of a page that is being checked.
type example struct {
	*testing.T
	g     *encode.Game
	pos   engine.Position
	text  string // of the position that the picture shows
	marks []string
}

// run checks the lines of a block.
func (e *example) run(block string) {
	e.Helper()
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		verb, rest, _ := strings.Cut(line, " ")
		if err := e.claim(verb, strings.TrimSpace(rest)); err != nil {
			e.Errorf("%s: %s: %v", e.g.Name, line, err)
		}
	}
}

// claim checks one line.
func (e *example) claim(verb, rest string) error {
	switch verb {
	case "position":
		return e.set(rest)
	case "to", "moves":
		return e.list(verb, rest)
	case "illegal":
		return e.refuses(rest)
	case "play":
		return e.play(rest)
	case "gives":
		return equal(e.pos.String(), rest)
	case "check":
		return equal(fmt.Sprint(e.pos.Check()), "true")
	case "ends":
		return equal(e.end(), rest)
	case "array":
		return e.array(rest)
	case "action", "san":
		return e.move(verb, rest)
	}
	return fmt.Errorf("unknown word %s", verb)
}

func equal(got, want string) error {
	if got != want {
		return fmt.Errorf("it is %s", got)
	}
	return nil
}

// set sets up a position, and remembers that of the picture: the first.
func (e *example) set(text string) error {
	if text == "start" {
		text = e.g.New("").String()
	}
	if e.text == "" {
		e.text = text
	}
	if err := e.pos.Set(text); err != nil {
		return err
	}
	return equal(e.pos.String(), text)
}

// list compares moves or destinations from a cell.
func (e *example) list(verb, rest string) error {
	cell, want, _ := strings.Cut(rest, ": ")
	var got []string
	for _, m := range e.pos.Moves(nil) {
		a := e.g.Actions.Describe(e.g.Actions.Number(m))
		switch {
		case a.From != cell:
		case verb == "to":
			got = append(got, a.To)
		default:
			got = append(got, e.pos.FormatMove(m))
		}
	}
	wanted := items(want)
	slices.Sort(got)
	got = slices.Compact(got)
	if verb == "to" {
		e.marks = append(e.marks, got...)
	}
	slices.Sort(wanted)
	return equal(strings.Join(got, "; "), strings.Join(wanted, "; "))
}

func items(list string) (all []string) {
	for item := range strings.SplitSeq(list, ";") {
		if item = strings.TrimSpace(item); item != "" {
			all = append(all, item)
		}
	}
	return all
}

func (e *example) refuses(list string) error {
	for _, text := range items(list) {
		if _, err := e.pos.ParseMove(text); err == nil {
			return fmt.Errorf("%s is legal", text)
		}
	}
	return nil
}

func (e *example) play(list string) error {
	for _, text := range items(list) {
		m, err := e.pos.ParseMove(text)
		if err != nil {
			return err
		}
		e.pos.Do(m)
	}
	return nil
}

// end returns result and reason.
func (e *example) end() string {
	o := e.pos.Outcome()
	result := "no result"
	switch o.Result {
	case engine.FirstWins:
		result = e.g.Sides[0] + " wins"
	case engine.SecondWins:
		result = e.g.Sides[1] + " wins"
	case engine.Draw:
		result = "draw"
	case engine.NoResult:
	}
	return result + ", " + e.g.ReasonName(o.Reason)
}

// array compares elements of the array: of one index or from one to another.
func (e *example) array(rest string) error {
	span, want, _ := strings.Cut(rest, ": ")
	from, to, found := strings.Cut(span, "-")
	if !found {
		to = from
	}
	first, err := strconv.Atoi(from)
	if err != nil {
		return err
	}
	last, err := strconv.Atoi(to)
	if err != nil {
		return err
	}
	l := e.g.Identity()
	var got []string
	for _, v := range l.Values(nil, l.Encode(nil, e.pos))[first : last+1] {
		got = append(got, strconv.Itoa(v))
	}
	return equal(strings.Join(got, " "), want)
}

// move compares the number of a move, or the algebraic notation of a turn.
func (e *example) move(verb, rest string) error {
	text, want, _ := strings.Cut(rest, " = ")
	if verb == "san" {
		return e.turn(strings.Split(text, "; "), want)
	}
	m, err := e.pos.ParseMove(text)
	if err != nil {
		return err
	}
	return equal(strconv.Itoa(int(e.g.Actions.Number(m))), want)
}

// turn compares the algebraic notation of the moves of a turn. Where it does not tell them, ? follows.
func (e *example) turn(texts []string, want string) error {
	var moves []engine.Move
	for _, text := range texts {
		m, err := e.pos.ParseMove(text)
		if err != nil {
			return err
		}
		moves = append(moves, m)
		e.pos.Do(m)
	}
	for range moves {
		e.pos.Undo()
	}
	got, sure := encode.TurnText(e.pos, moves)
	if !sure {
		got += " ?"
	}
	return equal(got, want)
}

// compare compares the picture with a fresh drawing.
func (e *example) compare(name string) {
	e.Helper()
	d := Drawing{Label: e.g.Title + ": " + e.text, Codes: codes(e.T, *e.g, e.text)}
	if e.marks != nil {
		d.Heat = make([]Heat, e.g.Board.Cells())
	}
	for cell := range d.Heat {
		d.Heat[cell] = Heat{Lean: Unsided, Text: e.g.Board.Name(cell)}
	}
	for _, mark := range e.marks {
		cell, _ := e.g.Board.Cell(mark)
		d.Heat[cell].Strength = 0.5
	}
	enginetest.Golden(e.T, filepath.Join(gamePages, name), Picture(&e.g.Board, d, ""), "The picture differs from the drawing of the program")
}
