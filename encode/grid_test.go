package encode

import "testing"

func TestCellsAndNames(t *testing.T) {
	for _, c := range []struct {
		grid Grid
		name string
		cell int
	}{
		{Grid{Files: 8, Ranks: 8}, "a8", 0},
		{Grid{Files: 8, Ranks: 8}, "h1", 63},
		{Grid{Files: 11, Ranks: 12}, "a12", 0},
		{Grid{Files: 11, Ranks: 12}, "k1", 131},
		{Grid{Files: 8, Ranks: 8, RankOneOnTop: true}, "a1", 0},
		{Grid{Files: 8, Ranks: 8, RankOneOnTop: true}, "b3", 17},
	} {
		if got := c.grid.Name(c.cell); got != c.name {
			t.Errorf("cell %d of %+v is %s, want %s", c.cell, c.grid, got, c.name)
		}
		if got, ok := c.grid.Cell(c.name); !ok || got != c.cell {
			t.Errorf("%s of %+v is %d, want %d", c.name, c.grid, got, c.cell)
		}
	}
	for _, name := range []string{"", "a", "i1", "a0", "a9", "A1", "a1b", "11", "é1"} {
		if cell, ok := (Grid{Files: 8, Ranks: 8}).Cell(name); ok {
			t.Errorf("%q is cell %d", name, cell)
		}
	}
}

func TestSymmetriesOfTheGrid(t *testing.T) {
	g := Grid{Files: 3, Ranks: 2}
	for cell, want := range g.ReversedRows() {
		if got := []uint8{3, 4, 5, 0, 1, 2}[cell]; got != want {
			t.Errorf("reversed rows: cell %d goes to %d, want %d", cell, want, got)
		}
	}
	for cell, want := range g.Rotated() {
		if got := []uint8{5, 4, 3, 2, 1, 0}[cell]; got != want {
			t.Errorf("rotation: cell %d goes to %d, want %d", cell, want, got)
		}
	}
	if _, ok := g.step(2, vector{0, 1}); ok {
		t.Error("a step right of the last file stays on the board")
	}
	if to, ok := g.step(2, vector{1, -2}); !ok || to != 3 {
		t.Errorf("one down and two left of cell 2 is %d", to)
	}
}
