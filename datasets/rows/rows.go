// Package rows is what `selfplay run` and `export rows` have in common: how games
// become rows and rows become files. A Shape is read from flags and laid into a
// plan, or read back from a plan.
//
//	rows.go   the shape, from a plan and into one
//	flags.go  the flags that change it
package rows

import (
	"fmt"
	"slices"

	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/engine"
)

// Shape is how the games of a dataset become rows, and rows become files.
type Shape struct {
	Game    encode.Game
	Variant string
	encode.View
	Format    string
	BoardType string
	// Unique leaves out every row whose position a row before it has. It takes all games
	// to know: package unique makes these rows, not Rows.
	Unique bool
}

// uniqueText is the last part of the filter of a dataset that is Unique. Stored in
// plans; never renamed.
const uniqueText = "unique"

// New returns the shape that a dataset has where nothing else is asked for.
func New(g encode.Game, variant string, seed uint64, searched bool) *Shape {
	return &Shape{
		Game: g, Variant: variant,
		View:      encode.View{Layout: &g.Layouts[0], Searched: searched, Seed: seed},
		Format:    datasets.Parquet,
		BoardType: datasets.List,
	}
}

// Of returns the shape of a dataset that was made by these versions of the rules
// and the numbers; of any other it is ErrUnsupported.
func Of(p datasets.Plan) (*Shape, error) {
	s, err := read(p)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", datasets.ErrUnsupported, err)
	}
	return s, nil
}

func read(p datasets.Plan) (*Shape, error) {
	g, err := encode.Find(p.Game)
	if err != nil {
		return nil, err
	}
	s := New(g, p.Variant, p.Seed, slices.Contains(p.Columns, encode.PolicyActionColumn))
	s.Mover, s.Format, s.BoardType = p.Perspective == datasets.Mover, p.Format, p.BoardType
	if s.Layout, err = g.Layout(p.Layout); err != nil {
		return nil, err
	}
	filter := p.Filter
	if n := len(filter); n > 0 && filter[n-1] == uniqueText {
		s.Unique, filter = true, filter[:n-1]
	}
	if s.Filter, err = encode.ParseFilter(filter); err != nil {
		return nil, err
	}
	for _, name := range encode.ExtraNames() {
		if slices.Contains(p.Columns, name) {
			s.Extra = append(s.Extra, name)
		}
	}
	for _, v := range []struct {
		of           string
		there, known int
	}{
		{"rules", p.Rules, g.Rules},
		{"layout", p.LayoutVersion, s.Layout.Version},
		{"actions", p.Actions, g.Actions.Version},
	} {
		if v.there != v.known {
			return nil, fmt.Errorf("version %d of the %s, this program has %d", v.there, v.of, v.known)
		}
	}
	if names := s.columnNames(); !slices.Equal(names, p.Columns) {
		return nil, fmt.Errorf("columns %q, this program has %q", p.Columns, names)
	}
	return s, nil
}

func (s *Shape) columnNames() (names []string) {
	for _, c := range s.Columns() {
		names = append(names, c.Name)
	}
	return names
}

// Into lays the shape into a plan, whose other fields say what was played.
func (s *Shape) Into(p *datasets.Plan) {
	p.Layout, p.LayoutVersion = s.Layout.Name, s.Layout.Version
	p.Columns = s.columnNames()
	p.Perspective = ""
	if s.Mover {
		p.Perspective = datasets.Mover
	}
	p.Filter = s.Filter.Texts()
	if s.Unique {
		p.Filter = append(slices.Clip(p.Filter), uniqueText)
	}
	p.Format, p.BoardType, p.Codec = s.Format, s.BoardType, "" // which the format decides
	*p = p.WithDefaults()
}

// Rows returns what makes rows of games, for each goroutine one.
func (s *Shape) Rows() func() datasets.RowFunc {
	if s.Unique {
		panic("rows: unique rows are made by package unique")
	}
	return func() datasets.RowFunc { return encode.NewReplayer(s.Game, s.Variant, s.View).Append }
}

// Description returns what the files say about their numbers.
func (s *Shape) Description() datasets.Description {
	return datasets.Description{
		Title:    s.Game.Title,
		Sides:    s.Game.Sides,
		Results:  s.Game.Results(),
		Reasons:  s.Game.ReasonNames(),
		Actions:  s.Game.Actions.Count,
		Columns:  s.Columns(),
		Elements: s.Layout.Elements,
		Metadata: s.metadata(),
	}
}

// metadata returns what every file says of its layout, and of scores if it has any.
func (s *Shape) metadata() []encode.KeyValue {
	list := s.Layout.Metadata
	if s.Searched {
		list = append(slices.Clip(list), s.Game.WDL.Metadata())
	}
	return list
}

// Absolute returns the values of a row's board as the layout has them where no side
// is preferred: turned back where they were turned.
func (s *Shape) Absolute(values []byte, turn engine.Side) []byte {
	if !s.Mover || turn == engine.First || s.Layout.Flip == nil {
		return values
	}
	values = slices.Clone(values)
	s.Layout.Flip(values)
	return values
}
