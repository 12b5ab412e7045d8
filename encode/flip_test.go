package encode_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"selfplay/encode"
	"selfplay/engine"
)

// The other side of a position is made from its text here, so that it owes nothing
// to the arrays that are tested.

var mirrorTexts = map[string]func(text string) string{
	"cotulenh": mirrorCoTuLenh,
	"chess":    mirrorChess,
	"contrast": mirrorContrast,
}

// mirrorCoTuLenh turns the board upside down and swaps the colours.
func mirrorCoTuLenh(text string) string {
	f := strings.Fields(text)
	f[0] = mirrorRows(f[0])
	f[1] = map[string]string{"r": "b", "b": "r"}[f[1]]
	if len(f) > 6 {
		session := strings.Split(f[6], ":")
		session[0], session[2] = mirrorSquares(session[0], 12), mirrorSquares(session[2], 12)
		f[6] = strings.Join(session, ":")
	}
	return strings.Join(f, " ")
}

func mirrorChess(text string) string {
	f := strings.Fields(text)
	f[0] = mirrorRows(f[0])
	f[1] = map[string]string{"w": "b", "b": "w"}[f[1]]
	if f[2] != "-" {
		rights := strings.Split(swapCase(f[2]), "")
		slices.Sort(rights) // upper case first, king before queen
		f[2] = strings.Join(rights, "")
	}
	f[3] = mirrorSquares(f[3], 8)
	return strings.Join(f, " ")
}

// mirrorContrast gives the board half a turn and swaps the sides, cell by cell.
func mirrorContrast(text string) string {
	list, side, _ := strings.Cut(text, " ")
	a := strings.Split(list, ",")
	cells := a[:25]
	slices.Reverse(cells)
	for i, v := range cells {
		cells[i] = [9]string{"0", "1", "2", "6", "7", "8", "3", "4", "5"}[v[0]-'0']
	}
	hands := []string{a[27], a[28], a[25], a[26]}
	return strings.Join(append(slices.Clone(cells), hands...), ",") + " " + map[string]string{"x": "o", "o": "x"}[side]
}

func mirrorRows(board string) string {
	rows := strings.Split(board, "/")
	slices.Reverse(rows)
	return swapCase(strings.Join(rows, "/"))
}

func swapCase(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

// mirrorSquares turns a list of squares, or "-".
func mirrorSquares(list string, ranks int) string {
	names := strings.Split(list, ",")
	for i, name := range names {
		if rank, err := strconv.Atoi(name[1:]); err == nil {
			names[i] = fmt.Sprintf("%c%d", name[0], ranks+1-rank)
		}
	}
	return strings.Join(names, ",")
}

// mirrored returns the position of a text and its other side. Both are read, so that
// neither has a history that the other lacks.
func mirrored(t *testing.T, game *encode.Game, text string) (p, other engine.Position) {
	t.Helper()
	p, other = game.New(""), game.New("")
	if err := p.Set(text); err != nil {
		t.Fatal(err)
	}
	if err := other.Set(mirrorTexts[game.Name](text)); err != nil {
		t.Fatalf("the other side of %s: %v", text, err)
	}
	return p, other
}

// somePositions shows positions of random games, and the drawn ones of the planes.
func somePositions(t *testing.T, game *encode.Game, look func(text string)) {
	for _, c := range planesCases {
		if c.game.Name == game.Name {
			c.positions(t, func(p engine.Position) { look(p.String()) })
		}
	}
	if game.Name == "cotulenh" {
		for i, text := range vectorPositions(t) {
			if i%10 == 0 {
				look(text)
			}
		}
	}
}

// TestTurnedBoardIsTheBoardOfTheOtherSide, and turned twice it is itself.
func TestTurnedBoardIsTheBoardOfTheOtherSide(t *testing.T) {
	for _, game := range encode.Games() {
		t.Run(game.Name, func(t *testing.T) {
			layout := &game.Layouts[0]
			somePositions(t, &game, func(text string) {
				p, other := mirrored(t, &game, text)
				before := []byte{1, 2, 3}
				values := layout.Encode(before, p)
				layout.Flip(values[3:])
				if want := layout.Encode([]byte{1, 2, 3}, other); !slices.Equal(values, want) {
					t.Fatalf("%s turned:\n%v, want\n%v", p, values, want)
				}
				layout.Flip(values[3:])
				if !slices.Equal(values[3:], layout.Encode(nil, p)) {
					t.Fatalf("%s turned twice: %v", p, values[3:])
				}
			})
		})
	}
}

// TestPlanesAreTurnedAlready: there is nothing to turn.
func TestPlanesAreTurnedAlready(t *testing.T) {
	for _, game := range encode.Games() {
		if planes, err := game.Layout("planes"); err != nil || planes.Flip != nil {
			t.Errorf("%s: error %v, or planes can be turned", game.Name, err)
		}
	}
}

// TestTurnedActionsAreTheActionsOfTheOtherSide: the legal moves of the other side
// have the turned numbers, and each does there what the move does here.
func TestTurnedActionsAreTheActionsOfTheOtherSide(t *testing.T) {
	for _, game := range encode.Games() {
		t.Run(game.Name, func(t *testing.T) {
			somePositions(t, &game, func(text string) {
				p, other := mirrored(t, &game, text)
				checkTurnedActions(t, &game, p, other)
			})
		})
	}
}

func checkTurnedActions(t *testing.T, game *encode.Game, p, other engine.Position) {
	t.Helper()
	var turned, there []uint16
	moves := p.Moves(nil)
	for _, m := range moves {
		turned = append(turned, game.Actions.Flip(game.Actions.Number(p, m)))
	}
	for _, m := range other.Moves(nil) {
		there = append(there, game.Actions.Number(other, m))
	}
	if !slices.Equal(slices.Sorted(slices.Values(turned)), slices.Sorted(slices.Values(there))) {
		t.Fatalf("%s: the turned moves are not those of %s", p, other)
	}
	for i := 0; i < len(moves); i += 7 { // what they do, of some
		m, err := game.Actions.Move(other, turned[i])
		if err != nil {
			t.Fatal(err)
		}
		name := p.FormatMove(moves[i])
		p.Do(moves[i])
		other.Do(m)
		layout := &game.Layouts[0]
		got, want := layout.Encode(nil, other), layout.Encode(nil, p)
		layout.Flip(want)
		// The number of the full move counts the turns of one side.
		if game.Name == "cotulenh" {
			copy(got[2*133:2*134], want[2*133:])
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s leads to %s, turned to %s", name, p, other)
		}
		p.Undo()
		other.Undo()
	}
}

// TestTurningIsItsOwnInverse for all 65,536 numbers, and it keeps what a number is:
// used, unused or beyond the game.
func TestTurningIsItsOwnInverse(t *testing.T) {
	for _, game := range encode.Games() {
		a := game.Actions
		for n := range 1 << 16 {
			turned := int(a.Flip(uint16(n)))
			if int(a.Flip(uint16(turned))) != n || (turned < a.Count) != (n < a.Count) || n >= a.Count && turned != n {
				t.Fatalf("%s: %d turns into %d, and that into %d", game.Name, n, turned, a.Flip(uint16(turned)))
			}
			if n >= a.Count {
				continue
			}
			here, there := a.Describe(uint16(n)), a.Describe(uint16(turned))
			if (here.Kind == encode.NoAction) != (there.Kind == encode.NoAction) {
				t.Fatalf("%s: %d is %v, turned %v", game.Name, n, here, there)
			}
		}
	}
}

// TestTurnedNumbersAreFrozen shows what turning does to moves that people know.
func TestTurnedNumbersAreFrozen(t *testing.T) {
	games := map[string]encode.Game{}
	for _, game := range encode.Games() {
		games[game.Name] = game
	}
	for _, c := range []struct {
		game       string
		from, want uint16
	}{
		{"cotulenh", 55440, 55440},                             // commit
		{"cotulenh", (93*84 + 0) * 5, (38*84 + 22) * 5},        // f4 one north, f9 one south
		{"cotulenh", (93*84+11)*5 + 1, (38*84+11)*5 + 1},       // east stays east, stay stays stay
		{"cotulenh", (93*84+44)*5 + 4, (38*84+74)*5 + 4},       // north-west, south-west
		{"cotulenh", (93*84+54+2)*5 + 2, (38*84+64+2)*5 + 2},   // three north-east, three south-east
		{"chess", 52*73 + 1, 12*73 + 28 + 1},                   // e2e4, e7e5
		{"chess", 62*73 + 63, 6*73 + 60},                       // g1f3, g8f6
		{"chess", 60*73 + 15, 4*73 + 15},                       // e1g1, e8g8
		{"chess", 12*73 + 67, 52*73 + 67},                      // e7d8b, e2d1b
		{"chess", 12*73 + 0, 52*73 + 28},                       // e7e8q, e2e1q
		{"contrast", (0*25 + 5) * 51, (24*25 + 19) * 51},       // a5,a4 -1; e1,e2 -1
		{"contrast", (0*25+5)*51 + 1, (24*25+19)*51 + 25},      // a5b: e1b
		{"contrast", (0*25+5)*51 + 26 + 3, (24*25+19)*51 + 47}, // d5g: b1g
	} {
		game := games[c.game]
		if got := game.Actions.Flip(c.from); got != c.want {
			t.Errorf("%s: %d (%v) turns into %d (%v), want %d (%v)", c.game, c.from, game.Actions.Describe(c.from),
				got, game.Actions.Describe(got), c.want, game.Actions.Describe(c.want))
		}
	}
}

// TestMoversRowIsTheRowOfTheOtherSide: where the second side decides, a row that is
// seen by the mover is the plain row of the position turned, in all columns but the
// side and the hash; where the first side decides it is the plain row.
func TestMoversRowIsTheRowOfTheOtherSide(t *testing.T) {
	for _, game := range encode.Games() {
		for i := range game.Layouts {
			layout := &game.Layouts[i]
			t.Run(game.Name+"/"+layout.Name, func(t *testing.T) {
				src := rand.New(rand.NewPCG(5, 5))
				plain := encode.View{Layout: layout, Searched: true, Extra: encode.ExtraNames()}
				mover := plain
				mover.Mover = true
				somePositions(t, &game, func(text string) {
					p, other := mirrored(t, &game, text)
					if p.Turn() == engine.First {
						p, other = other, p
					}
					rec := oneDecision(&game, p, src)
					if rec == nil {
						return
					}
					seen := rowsOf(t, &game, mover, rec)
					first := turnedRecord(&game, rec, other)
					want := rowsOf(t, &game, plain, first)
					mustEqualRows(t, rowsOf(t, &game, mover, first), want)
					clearFirst(layout, seen)
					clearFirst(layout, want)
					mustEqualRows(t, seen, want, "side", "hash")
				})
			})
		}
	}
}

// oneDecision returns a record of one searched decision at p, nil if there is none.
func oneDecision(game *encode.Game, p engine.Position, src *rand.Rand) *engine.Record {
	moves := p.Moves(nil)
	if len(moves) == 0 {
		return nil
	}
	if r, ok := p.(engine.Reacher); ok && r.Reachable() != nil {
		return nil
	}
	some := func() uint16 { return game.Actions.Number(p, moves[src.IntN(len(moves))]) }
	return &engine.Record{
		Start: p.String(), Actions: []uint16{some()}, Best: []uint16{some()}, MoveRanks: []uint8{1},
		Scores: []int16{int16(src.IntN(2000) - 1000)}, Nodes: []uint32{9},
		PolicySize: []uint16{3}, PolicyAction: []uint16{some(), some(), some()}, PolicyWeight: []uint16{7, 5, 3},
		Outcome: engine.Outcome{Reason: engine.PlyLimit},
	}
}

// turnedRecord is the record of the same decision by the other side, at p.
func turnedRecord(game *encode.Game, rec *engine.Record, p engine.Position) *engine.Record {
	turned := *rec
	turned.Start = p.String()
	turn := func(list []uint16) (out []uint16) {
		for _, n := range list {
			out = append(out, game.Actions.Flip(n))
		}
		return out
	}
	turned.Actions, turned.Best, turned.PolicyAction = turn(rec.Actions), turn(rec.Best), turn(rec.PolicyAction)
	return &turned
}

// rowsOf returns the rows of a record.
func rowsOf(t *testing.T, game *encode.Game, v encode.View, records ...*engine.Record) *encode.Table {
	t.Helper()
	table := encode.NewTable(v.Columns())
	r := encode.NewReplayer(*game, "", v)
	for _, rec := range records {
		if err := r.Append(rec, table, make([]uint64, len(v.Filter.Texts()))); err != nil {
			t.Fatal(err)
		}
	}
	return table
}

// clearFirst clears the plane that tells the sides apart, the last of planes.
func clearFirst(l *encode.Layout, t *encode.Table) {
	if l.Name != "planes" {
		return
	}
	board := slices.IndexFunc(t.Columns, func(c encode.Column) bool { return c.Name == "board" })
	for row := range t.Rows {
		values := t.Cell(board, row)
		clear(values[len(values)-l.Elements[len(l.Elements)-1].Count:])
	}
}

// mustEqualRows compares two tables in all columns but some.
func mustEqualRows(t *testing.T, got, want *encode.Table, but ...string) {
	t.Helper()
	if got.Rows != want.Rows {
		t.Fatalf("%d rows, want %d", got.Rows, want.Rows)
	}
	for col, c := range want.Columns {
		if slices.Contains(but, c.Name) {
			continue
		}
		for row := range want.Rows {
			if x, y := got.Cell(col, row), want.Cell(col, row); !slices.Equal(x, y) {
				t.Fatalf("row %d: %s is %v, want %v", row, c.Name, x, y)
			}
		}
	}
}
