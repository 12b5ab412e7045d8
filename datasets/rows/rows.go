// Package rows describes how games become rows and rows become files. A Shape is built
// from flags, or read from a plan, and it sets the part of a plan that it determines.
// `selfplay run` and `selfplay rows` share it; cmd/program has the flags.
package rows

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
)

// Shape says how the games of a dataset become rows, and how the rows are stored.
type Shape struct {
	Game    encode.Game
	Variant string
	encode.View
	Format    string
	BoardType string
	// WDL is the model of what the scores of the games are worth, nil if none is known. It
	// is part of the description, not of the plan.
	WDL *encode.WDL
	// Unique drops every row whose position an earlier row has. This depends on all games,
	// so package dedup makes the rows, and Rows panics.
	Unique bool
}

// uniqueText is the last part of the filter of a Unique dataset. It is stored in plans:
// never rename it.
const uniqueText = "unique"

// New returns the default shape. searched adds the columns of a search.
func New(g encode.Game, variant string, seed uint64, searched bool) *Shape {
	return &Shape{
		Game: g, Variant: variant,
		View:      encode.View{Layout: &g.Layouts[0], Searched: searched, Seed: seed},
		Format:    plan.Parquet,
		BoardType: plan.List,
	}
}

// AddStartPly adds the column of the same name for games that may begin at any position, if texts of the
// game have move numbers.
func (s *Shape) AddStartPly() {
	if _, ok := s.Game.New(s.Variant).(engine.Numbered); ok && !slices.Contains(s.Extra, encode.StartPlyColumn) {
		s.Extra = append(s.Extra, encode.StartPlyColumn)
	}
}

// OfDataset returns the shape of a dataset, with the model of its files. The error is that
// of Of, or ErrCorrupt if its description has other boards than the layout.
func OfDataset(games encode.Catalog, ds *datasets.Dataset) (*Shape, error) {
	s, err := Of(games, ds.Plan())
	if err != nil {
		return nil, err
	}
	d := ds.Description()
	s.WDL = encode.ReadWDL(d.Metadata)
	return s, s.checkBoard(d.Columns)
}

// OfKnown is OfDataset for a caller that can do without a shape: it returns nil for a dataset of
// a game or of versions that the catalog does not have.
func OfKnown(games encode.Catalog, ds *datasets.Dataset) (*Shape, error) {
	s, err := OfDataset(games, ds)
	if errors.Is(err, datasets.ErrUnsupported) {
		return nil, nil
	}
	return s, err
}

// checkBoard compares the boards of a dataset with those of the layout: readers decode them.
func (s *Shape) checkBoard(columns []encode.Column) error {
	c, l := columns[encode.ColumnNamed(columns, encode.BoardColumn)], s.Layout
	if c.Kind != l.Kind || c.Len != l.Len() {
		return fmt.Errorf("read %s: %w: column %s: kind %s and length %d, want %s and %d",
			plan.FileName, datasets.ErrCorrupt, c.Name, c.Kind, c.Len, l.Kind, l.Len())
	}
	return nil
}

// Of returns the shape of a plan, without a model of scores. The error is ErrUnsupported if
// the catalog does not have the game or the variant, or has other versions of the rules, the
// layout or the action numbers.
func Of(games encode.Catalog, p plan.Plan) (*Shape, error) {
	s, err := read(games, p)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", datasets.ErrUnsupported, err)
	}
	return s, nil
}

func read(games encode.Catalog, p plan.Plan) (*Shape, error) {
	g, err := games.Find(p.Game)
	if err != nil {
		return nil, err
	}
	if len(g.Variants) > 0 && p.Variant != "" && !slices.Contains(g.Variants, p.Variant) {
		return nil, fmt.Errorf("unknown variant %q of %s: want one of %s", p.Variant, g.Name, strings.Join(g.NamedVariants(), ", "))
	}
	s := New(g, p.Variant, p.Seed, slices.Contains(p.Columns, encode.PolicyActionColumn))
	s.Old = slices.Contains(p.Columns, encode.OldScoreColumn)
	s.Caps = slices.Contains(p.Columns, encode.FullSearchColumn)
	s.Mover, s.Format, s.BoardType = p.Perspective == plan.Mover, p.Format, p.BoardType
	s.Layout, err = g.Layout(p.Layout)
	if err != nil {
		return nil, err
	}
	filter := p.Filter
	if n := len(filter); n > 0 && filter[n-1] == uniqueText {
		s.Unique, filter = true, filter[:n-1]
	}
	s.Filter, err = s.Game.ParseFilter(filter)
	if err != nil {
		return nil, err
	}
	if p.Deblunder != "" {
		s.Deblunder, err = encode.ParseDeblunder(p.Deblunder)
		if err != nil {
			return nil, err
		}
	}
	for _, name := range encode.ExtraNames() {
		if slices.Contains(p.Columns, name) {
			s.Extra = append(s.Extra, name)
		}
	}
	return s, s.checkVersions(p)
}

// checkVersions returns an error if the plan has other versions or columns than the shape.
func (s *Shape) checkVersions(p plan.Plan) error {
	for _, v := range []struct {
		of        string
		got, want int
	}{
		{"rules", p.Rules, s.Game.Rules},
		{"layout", p.LayoutVersion, s.Layout.Version},
		{"actions", p.Actions, s.Game.Actions.Version},
	} {
		if v.got != v.want {
			return fmt.Errorf("version %d of the %s, this program has %d", v.got, v.of, v.want)
		}
	}
	if names := s.columnNames(); !slices.Equal(names, p.Columns) {
		return fmt.Errorf("columns %q, this program has %q", p.Columns, names)
	}
	if own := s.StaticFingerprint(); s.usesStaticScore() && own != "" && !slices.Contains(p.StaticScores, own) {
		return fmt.Errorf("the rows depend on another static score: fingerprint %.12s there, %.12s here: use the program that made the dataset", strings.Join(p.StaticScores, " "), own)
	}
	return nil
}

// usesStaticScore reports whether rows depend on the static score of the game, or on its values of pieces.
func (s *Shape) usesStaticScore() bool {
	return slices.Contains(s.Extra, encode.StaticColumn) || s.Filter.Where.UsesLead()
}

// StaticFingerprint returns the fingerprint of the static score of the game, "" if it has none.
func (s *Shape) StaticFingerprint() string { return s.Game.StaticFingerprint(s.Variant) }

func (s *Shape) columnNames() (names []string) {
	for _, c := range s.Columns() {
		names = append(names, c.Name)
	}
	return names
}

// Into sets the fields of a plan that the shape determines. The other fields say what was
// played.
func (s *Shape) Into(p *plan.Plan) {
	p.Layout, p.LayoutVersion = s.Layout.Name, s.Layout.Version
	p.Columns = s.columnNames()
	p.Perspective = ""
	if s.SeenByMover() {
		p.Perspective = plan.Mover
	}
	p.Filter = s.Filter.Texts()
	if s.Unique {
		p.Filter = append(slices.Clip(p.Filter), uniqueText)
	}
	p.Deblunder = ""
	if s.Deblunder != nil {
		p.Deblunder = s.Deblunder.String()
	}
	if s.usesStaticScore() {
		p.AddStaticScores(s.StaticFingerprint())
	}
	p.Format, p.BoardType, p.Codec = s.Format, s.BoardType, "" // WithDefaults sets the codec of the format
	*p = p.WithDefaults()
}

// Rows returns a function that makes the rows of games, one for each goroutine.
func (s *Shape) Rows() func() datasets.RowFunc {
	if s.Unique {
		panic("rows: package dedup makes the rows of a Unique shape")
	}
	return func() datasets.RowFunc { return encode.NewReplayer(s.Game, s.Variant, s.View).Append }
}

// Description returns what the files say about their numbers.
func (s *Shape) Description() plan.Description {
	return plan.Description{
		Title:      s.Game.TitleOf(s.Variant),
		Sides:      s.Game.Sides,
		Results:    s.Game.Results(),
		Reasons:    s.Game.ReasonNames(),
		OwnReasons: s.Game.OwnReasons,
		Actions:    s.Game.Actions.Count,
		Columns:    s.Columns(),
		Elements:   s.Layout.Elements,
		Metadata:   s.metadata(),
	}
}

// metadata returns the file metadata of the layout, and of the scores if a model of them is
// known.
func (s *Shape) metadata() []encode.KeyValue {
	list := s.Layout.Metadata
	if s.Searched && s.WDL != nil {
		list = append(slices.Clip(list), s.WDL.Metadata())
	}
	return list
}

// Absolute returns the values of a row's board in the orientation that does not depend on
// the side to move. It does not modify values.
func (s *Shape) Absolute(values []byte, turn engine.Side) []byte {
	if !s.Mover || turn == engine.First || s.Layout.Flip == nil {
		return values
	}
	values = slices.Clone(values)
	s.Layout.Flip(values)
	return values
}

// AbsoluteAction returns the action number that a row would have in the orientation that
// does not depend on the side to move.
func (s *Shape) AbsoluteAction(action uint16, turn engine.Side) uint16 {
	if turn == engine.First || !s.SeenByMover() {
		return action
	}
	return s.Game.Actions.Flip(action)
}

// HasText reports whether Text can decode the boards of the layout.
func (s *Shape) HasText() bool { return s.Layout.Decode != nil }

// TextReader reads the positions of rows as text. It belongs to one table.
type TextReader struct {
	shape                  *Shape
	board, side, ply, from int // columns; from is that of the first ply, -1 without it
}

// NewTextReader returns a reader of rows with these columns, whose boards are in the column of this
// name. The layout must have a text.
func (s *Shape) NewTextReader(columns []encode.Column, board string) TextReader {
	column := func(name string) int { return encode.ColumnNamed(columns, name) }
	return TextReader{s, column(board), column(encode.SideColumn), column(encode.PlyColumn), column(encode.StartPlyColumn)}
}

// Ply returns the number of plies between the start of the game and a row of t, as move numbers count them.
func (r *TextReader) Ply(t *encode.Table, row int) int {
	ply := int(binary.LittleEndian.Uint16(t.Cell(r.ply, row)))
	if r.from >= 0 {
		ply += int(binary.LittleEndian.Uint32(t.Cell(r.from, row)))
	}
	return ply
}

// Text returns the position of a row of t in the game's notation.
func (r *TextReader) Text(t *encode.Table, row int) (string, error) {
	turn, l := engine.Side(t.Data[r.side][row]), r.shape.Layout
	text, err := l.Decode(r.shape.Absolute(t.Cell(r.board, row), turn), turn)
	if err != nil || l.AtPly == nil {
		return text, err
	}
	return l.AtPly(text, r.Ply(t, row)), nil
}
