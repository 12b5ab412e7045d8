package encode

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"

	"selfplay/engine"
)

// Facts are the facts of a catalog entry for people and programs: the command
// `selfplay games` prints them.
type Facts struct {
	Name     string        `json:"name"`
	Title    string        `json:"title"`
	Rules    int           `json:"rules"` // version
	Sides    [2]string     `json:"sides"` // side 0, which moves first in the start position, then side 1
	Variants []string      `json:"variants"`
	Files    int           `json:"files"`
	Ranks    int           `json:"ranks"`
	MaxPlies int           `json:"max_plies"`
	Layouts  []LayoutFacts `json:"layouts"` // the default first
	Actions  ActionFacts   `json:"actions"`
	Reasons  []ReasonFacts `json:"reasons"` // for which a game can end
	// Repetitions is the number of earlier occurrences of a position that end a game; 0:
	// repetition does not.
	Repetitions int `json:"repetitions"`
	// Conditions are the words of --where that the game has.
	Conditions []string `json:"conditions"`
	Presets    []string `json:"presets"`
	Samples    []string `json:"samples"` // positions with special rules
}

// LayoutFacts are the facts of a layout.
type LayoutFacts struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Kind    string `json:"kind"` // of the elements
	Len     int    `json:"len"`  // number of elements
}

// ActionFacts are the facts of an action numbering.
type ActionFacts struct {
	Version   int  `json:"version"`
	Count     int  `json:"count"`
	HasOrigin bool `json:"has_origin"`
}

// ReasonFacts are the number and the name of a reason.
type ReasonFacts struct {
	Number int    `json:"number"`
	Name   string `json:"name"`
}

// Facts returns the facts of the entry.
func (g *Game) Facts() Facts {
	f := Facts{
		Name: g.Name, Title: g.Title, Rules: g.Rules, Sides: g.Sides, Variants: []string{},
		Files: g.Board.Files, Ranks: g.Board.Ranks, MaxPlies: g.MaxPlies,
		Actions:     ActionFacts{g.Actions.Version, g.Actions.Count, g.Actions.HasOrigin},
		Repetitions: g.Repetitions, Conditions: g.WhereWords(), Samples: g.Samples,
	}
	f.Variants = append(f.Variants, g.NamedVariants()...)
	for i := range g.Layouts {
		l := &g.Layouts[i]
		f.Layouts = append(f.Layouts, LayoutFacts{l.Name, l.Version, l.Kind.String(), l.Len()})
	}
	for _, r := range g.AllReasons() {
		f.Reasons = append(f.Reasons, ReasonFacts{int(r), g.ReasonName(r)})
	}
	for _, p := range g.Presets {
		f.Presets = append(f.Presets, p.Name)
	}
	return f
}

// A game table says what boards and actions of a game mean, for programs in other languages:
// the Python package learns a game from it. Boards are those of the layout with an Identity.

// gameTable is the JSON of a table, in the order of the file.
type gameTable struct {
	Name         string      `json:"name"`
	Title        string      `json:"title"`
	Sides        [2]string   `json:"sides"`
	Files        int         `json:"files"`
	Ranks        int         `json:"ranks"`
	RankOneOnTop bool        `json:"rank_one_on_top,omitempty"`
	Start        string      `json:"start"` // text of the first position
	Layout       tableLayout `json:"layout"`
	Planes       tablePlanes `json:"planes"`
	Kinds        []string    `json:"kinds"`   // of pieces
	Letters      string      `json:"letters"` // of the kinds
	Pieces       [][][3]int  `json:"pieces"`  // by code of a cell: kind, side, and 1 for a ring
	Flip         tableFlip   `json:"flip"`
	Actions      any         `json:"actions"` // *factoredActions or *listedActions
}

type tableLayout struct {
	Name     string         `json:"name"`
	Version  int            `json:"version"`
	Kind     string         `json:"kind"`
	Elements []tableElement `json:"elements"`
}

type tableElement struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

type tablePlanes struct {
	Version int      `json:"version"`
	Names   []string `json:"names"`
	Codes   [][]int  `json:"codes,omitempty"` // the planes that each code of a cell sets; none if planes show more than cells and FirstPlane
}

// Table returns the table of the game as JSON, one line per member so that diffs show what
// changed. The error says which fact of the entry has no place in a table.
func (g *Game) Table() ([]byte, error) {
	flip, err := g.tableFlip()
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", g.Name, err)
	}
	l := g.Identity()
	t := gameTable{
		Name: g.Name, Title: g.Title, Sides: g.Sides, Files: g.Board.Files, Ranks: g.Board.Ranks, RankOneOnTop: g.Board.RankOneOnTop,
		Start: g.New("").String(), Layout: tableLayout{Name: l.Name, Version: l.Version, Kind: l.Kind.String()}, Flip: flip,
	}
	for _, e := range l.Elements {
		t.Layout.Elements = append(t.Layout.Elements, tableElement{e.Name, e.Count})
	}
	if planes, err := g.Layout(PlanesName); err == nil {
		t.Planes.Version = planes.Version
		for _, e := range planes.Elements {
			t.Planes.Names = append(t.Planes.Names, e.Name)
		}
		t.Planes.Codes = g.planesOfCodes(planes)
	}
	for _, k := range g.Board.Kinds {
		t.Kinds, t.Letters = append(t.Kinds, k.Name), t.Letters+k.Letter
	}
	t.Pieces = g.tablePieces()
	t.Actions, err = g.tableActions(&t.Flip)
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", g.Name, err)
	}
	return oneLinePerMember(&t)
}

// planesOfCodes finds which planes each code of a cell sets, as the side to move sees the board, from the positions of
// random games and the samples. It returns nil if cells and the side to move do not determine the planes.
func (g *Game) planesOfCodes(planes *Layout) [][]int {
	last := len(planes.Elements) - 1
	if g.Identity().Len() != g.Board.Cells() || last < 0 || planes.Elements[last].Name != FirstPlane {
		return nil
	}
	codes, p := make([][]int, len(g.Board.Codes)), g.New("")
	for game := range uint64(4) {
		p.Reset()
		src := rand.NewPCG(game, 1)
		for ongoing := true; ongoing; _, ongoing = p.DoRandom(src) {
			if !g.addPlanes(codes, planes, p) {
				return nil
			}
		}
	}
	for _, text := range g.Samples {
		if p.Set(text) != nil || !g.addPlanes(codes, planes, p) {
			return nil
		}
	}
	if slices.ContainsFunc(codes, func(set []int) bool { return set == nil }) {
		return nil
	}
	return codes
}

// addPlanes notes which planes the codes of a position set. It returns false if a code sets other planes than before, or
// if the last plane does not show the side to move alone.
func (g *Game) addPlanes(codes [][]int, planes *Layout, p engine.Position) bool {
	l, last := g.Identity(), len(planes.Elements)-1
	board, drawn := l.Encode(nil, p), planes.Encode(nil, p)
	if p.Turn() == engine.Second {
		l.Flip(board)
	}
	on := func(plane, cell int) bool {
		return drawn[plane*planes.Elements[0].Count+cell>>3]>>(cell&7)&1 == 1
	}
	for cell, code := range l.Values(nil, board) {
		set := []int{}
		for plane := range last {
			if on(plane, cell) {
				set = append(set, plane)
			}
		}
		if code >= len(codes) || codes[code] != nil && !slices.Equal(codes[code], set) || on(last, cell) != (p.Turn() == engine.First) {
			return false
		}
		codes[code] = set
	}
	return true
}

// tablePieces returns the pieces of each code of a cell.
func (g *Game) tablePieces() (codes [][][3]int) {
	for _, pieces := range g.Board.Codes {
		list := [][3]int{}
		for _, p := range pieces {
			ring := 0
			if p.Ring {
				ring = 1
			}
			list = append(list, [3]int{p.Kind, p.Side, ring})
		}
		codes = append(codes, list)
	}
	return codes
}

// oneLinePerMember writes an object with one line per member.
func oneLinePerMember(t *gameTable) ([]byte, error) {
	raw, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("{\n")
	d := json.NewDecoder(bytes.NewReader(raw))
	for _, err = d.Token(); err == nil && d.More(); {
		var value json.RawMessage
		name, _ := d.Token()
		err = d.Decode(&value)
		if err == nil {
			fmt.Fprintf(&b, "%q: %s,\n", name, value)
		}
	}
	b.Truncate(b.Len() - len(",\n"))
	b.WriteString("\n}\n")
	return b.Bytes(), err
}

// tableFlip describes Layout.Flip: element i goes to To[i], cells get new codes, and the
// elements Places hold a cell + 1, which moves as the cell does.
type tableFlip struct {
	To     []int `json:"to"`
	Codes  []int `json:"codes"`
	Places []int `json:"places"`
}

// tableFlip finds the flip of each element from boards with one value, and checks it on the
// boards of the start and of all samples.
func (g *Game) tableFlip() (f tableFlip, err error) {
	l, cells := g.Identity(), g.Board.Cells()
	f.Places = []int{}
	for e := range l.Len() {
		to, value := flipOne(l, e, 1)
		f.To = append(f.To, to)
		if e < cells || value == 1 {
			continue
		}
		if far, _ := flipOne(l, e, cells); far == to {
			f.Places = append(f.Places, e)
		}
	}
	f.Codes = []int{0}
	for code := 1; code < len(g.Board.Codes); code++ {
		_, value := flipOne(l, 0, code)
		f.Codes = append(f.Codes, value)
	}
	pos := g.New("")
	for _, text := range append([]string{pos.String()}, g.Samples...) {
		if err := pos.Set(text); err != nil {
			return f, err
		}
		board := l.Encode(nil, pos)
		before := l.Values(nil, board)
		l.Flip(board)
		if !slices.Equal(l.Values(nil, board), f.apply(before, cells)) {
			return f, fmt.Errorf("the flip of layout %s does not move elements and exchange codes of cells alone: %s", l.Name, text)
		}
	}
	return f, nil
}

// apply flips the values of a board.
func (f *tableFlip) apply(values []int, cells int) []int {
	flipped := make([]int, len(values))
	for e, v := range values {
		if e < cells {
			v = f.Codes[v]
		} else if slices.Contains(f.Places, e) && v > 0 {
			v = 1 + f.To[v-1]
		}
		flipped[f.To[e]] = v
	}
	return flipped
}

// flipOne flips a board that is empty but for one element, and returns where its value is.
func flipOne(l *Layout, element, value int) (to, flipped int) {
	size := l.Kind.Size()
	board := binary.LittleEndian.AppendUint16(make([]byte, element*size, l.Len()*size+2), uint16(value))
	board = board[:l.Len()*size]
	l.Flip(board)
	values := l.Values(nil, board)
	to = slices.IndexFunc(values, func(v int) bool { return v != 0 })
	return to, values[to]
}

// Factors say that the number of an action with an origin is (from*Rays + ray)*Whats + what:
// a ray leads from a cell to one other cell or off the board, and the kind of an action depends
// on ray and what alone. The numbers after those of the last cell have no origin. The zero value
// stands for numbers without factors.
type Factors struct{ Rays, Whats int }

// factoredActions describes actions by their factors. To is the destination by from*rays + ray,
// -1 off the board; the numbers of a ray that leads nowhere stand for no move.
type factoredActions struct {
	Version   int      `json:"version"`
	Count     int      `json:"count"`
	Rays      int      `json:"rays"`
	Whats     int      `json:"whats"`
	FlipRays  []int    `json:"flip_rays"`
	FlipWhats []int    `json:"flip_whats"`
	Kinds     []string `json:"kinds"` // by ray*whats + what
	Extra     []string `json:"extra"` // kinds of the numbers without an origin
	To        []int    `json:"to"`
}

// listedActions describes each action: origin and destination as cells, -1 for none, its kind as
// index of Kinds, and the number of the flipped action.
type listedActions struct {
	Version int      `json:"version"`
	Count   int      `json:"count"`
	Kinds   []string `json:"kinds"`
	From    []int    `json:"from"`
	To      []int    `json:"to"`
	Kind    []int    `json:"kind"`
	Flip    []int    `json:"flip"`
}

func (g *Game) tableActions(flip *tableFlip) (any, error) {
	if g.Actions.Factors == (Factors{}) {
		return g.listActions(), nil
	}
	p := &factoredActions{
		Version: g.Actions.Version, Count: g.Actions.Count, Rays: g.Actions.Rays, Whats: g.Actions.Whats,
		FlipRays: filled(g.Actions.Rays, -1), FlipWhats: filled(g.Actions.Whats, -1),
		Kinds: make([]string, g.Actions.Rays*g.Actions.Whats), Extra: []string{}, To: filled(g.Board.Cells()*g.Actions.Rays, -1),
	}
	for n := range p.Count {
		if err := p.add(g, flip, n); err != nil {
			return nil, fmt.Errorf("action %d: %w", n, err)
		}
	}
	return p, nil
}

// add adds what action n says of its factors. All actions that share a factor must agree.
func (p *factoredActions) add(g *Game, flip *tableFlip, n int) error {
	a, block := g.Actions.Describe(uint16(n)), p.Rays*p.Whats
	if n >= g.Board.Cells()*block {
		p.Extra = append(p.Extra, a.Kind)
		return nil
	}
	flipped := int(g.Actions.Flip(uint16(n)))
	if flip.To[n/block] != flipped/block {
		return fmt.Errorf("its origin is not flipped as the cell is: to %d", flipped)
	}
	to, _ := g.Board.Cell(a.To)
	from, _ := g.Board.Cell(a.From)
	ok := agree(p.FlipRays, n/p.Whats%p.Rays, flipped/p.Whats%p.Rays) && agree(p.FlipWhats, n%p.Whats, flipped%p.Whats)
	if a.Kind == NoAction && ok {
		return nil
	}
	kind := &p.Kinds[n%block]
	if *kind == "" {
		*kind = a.Kind
	}
	if !ok || !agree(p.To, n/p.Whats, to) || from != n/block || *kind != a.Kind {
		return fmt.Errorf("%+v, flipped to %d: it has no factors %+v", a, flipped, g.Actions.Factors)
	}
	return nil
}

// agree sets a value that several actions share, and reports whether it is the same for all.
func agree(list []int, i, value int) bool {
	if list[i] < 0 {
		list[i] = value
	}
	return list[i] == value
}

func filled(n, value int) []int { return slices.Repeat([]int{value}, n) }

// listActions describes every action.
func (g *Game) listActions() *listedActions {
	p := &listedActions{Version: g.Actions.Version, Count: g.Actions.Count}
	cell := func(name string) int {
		if c, ok := g.Board.Cell(name); ok {
			return c
		}
		return -1
	}
	for n := range p.Count {
		a := g.Actions.Describe(uint16(n))
		kind := slices.Index(p.Kinds, a.Kind)
		if kind < 0 {
			kind = len(p.Kinds)
			p.Kinds = append(p.Kinds, a.Kind)
		}
		p.From, p.To, p.Kind = append(p.From, cell(a.From)), append(p.To, cell(a.To)), append(p.Kind, kind)
		p.Flip = append(p.Flip, int(g.Actions.Flip(uint16(n))))
	}
	return p
}

// NewJSON returns an encoder that writes one line per value and does not escape HTML
// characters: moves may contain a <.
func NewJSON(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// Object is a JSON object that keeps the order of its members.
type Object []Member

// Add appends a member.
func (o *Object) Add(name string, value any) {
	*o = append(*o, Member{Name: name, Value: value})
}

// MarshalJSON writes the members in order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	part := NewJSON(&b)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := part.Encode(m.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := part.Encode(m.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil // json compacts this, which removes the newlines of Encode
}

// RoundedJSON writes one line of JSON per value, as NewJSON does, and rounds the floats in it
// to Digits significant digits. Use it for computed statistics, so that all processors print the
// same text: those with and without fused multiply-add compute other last digits. Integers stay as they are.
type RoundedJSON struct {
	w      io.Writer
	Digits int
}

// NewRoundedJSON returns an encoder that writes to w, with 12 digits.
func NewRoundedJSON(w io.Writer) *RoundedJSON { return &RoundedJSON{w, 12} }

// Encode writes v as one line.
func (e *RoundedJSON) Encode(v any) error {
	var b bytes.Buffer
	if err := NewJSON(&b).Encode(v); err != nil {
		return err
	}
	_, err := e.w.Write(tokens.ReplaceAllFunc(b.Bytes(), e.rounded))
	return err
}

// tokens matches the strings and the numbers of a JSON text.
var tokens = regexp.MustCompile(`"(\\.|[^"\\])*"|-?[0-9][-+.0-9eE]*`)

// rounded rounds a number that has a fraction or an exponent, in the form of encoding/json. Other
// tokens stay.
func (e *RoundedJSON) rounded(token []byte) []byte {
	if token[0] == '"' || !bytes.ContainsAny(token, ".eE") {
		return token
	}
	f, err := strconv.ParseFloat(string(token), 64)
	if err != nil {
		return token
	}
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', e.Digits, 64), 64)
	text, _ := json.Marshal(f) // cannot fail: f is finite
	return text
}
