package encode

import (
	"fmt"
	"slices"
)

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
