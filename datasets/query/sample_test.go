package query

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/internal/must"
)

// drawn returns the numbers of the rows that are drawn, given the stratum of every row.
func drawn(seed uint64, rows uint64, strata []int) (list []int) {
	counts := make([]uint64, slices.Max(strata)+1)
	for _, s := range strata {
		counts[s]++
	}
	d := newDraw(seed, counts, rows)
	for i, s := range strata {
		if d.take(s) {
			list = append(list, i)
		}
	}
	if err := d.end(); err != nil {
		panic(err)
	}
	return list
}

// TestDrawIsFrozen: a seed always draws the same rows. Do not change the expected rows;
// find a fix that keeps them.
func TestDrawIsFrozen(t *testing.T) {
	same, mixed := make([]int, 1000), make([]int, 1000)
	for i := range mixed {
		mixed[i] = i * i % 7 % 3
	}
	for _, c := range []struct {
		seed   uint64
		strata []int
		want   string
	}{
		{1, same, "[62 216 362 379 409 507 553 560 673 763]"},
		{2, same, "[68 360 406 467 495 716 839 856 880 909]"},
		{1, mixed, "[216 379 409 455 507 560 644 673 868 886]"},
	} {
		if got := fmt.Sprint(drawn(c.seed, 10, c.strata)); got != c.want {
			t.Errorf("seed %d: rows %s, want %s", c.seed, got, c.want)
		}
	}
}

// TestDrawIsUniform: every pair of six rows is drawn equally often, by a chi-square test.
func TestDrawIsUniform(t *testing.T) {
	const seeds = 15000
	seen := map[string]float64{}
	for seed := range uint64(seeds) {
		seen[fmt.Sprint(drawn(seed, 2, make([]int, 6)))]++
	}
	chi := 0.0
	for _, n := range seen {
		chi += (n - seeds/15.0) * (n - seeds/15.0) / (seeds / 15.0)
	}
	if len(seen) != 15 || chi > 36.1 || math.IsNaN(chi) { // 14 degrees of freedom, 0.1 %
		t.Errorf("%d pairs of 15, chi-square %.1f", len(seen), chi)
	}
}

func TestDrawRefusesOtherCounts(t *testing.T) {
	for name, rows := range map[string]int{"too few rows": 2, "too many rows": 4} {
		d := newDraw(1, []uint64{3}, 1)
		for range rows {
			d.take(0)
		}
		if d.end() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestQuotas(t *testing.T) {
	for _, c := range []struct {
		rows   uint64
		counts []uint64
		want   []uint64
	}{
		{9, []uint64{100, 100, 100}, []uint64{3, 3, 3}},
		{11, []uint64{100, 100, 100}, []uint64{4, 4, 3}},
		{9, []uint64{1, 100, 100}, []uint64{1, 4, 4}},
		{10, []uint64{1, 100, 3}, []uint64{1, 6, 3}},
		{10, []uint64{0, 0, 100}, []uint64{0, 0, 10}},
		{1000, []uint64{1, 2, 3}, []uint64{1, 2, 3}},
		{2, []uint64{5, 5, 5}, []uint64{1, 1, 0}},
		{5, []uint64{0}, []uint64{0}},
		{math.MaxUint64, []uint64{4, 4}, []uint64{4, 4}},
	} {
		if got := quotas(c.counts, c.rows); !slices.Equal(got, c.want) {
			t.Errorf("%d rows of %v: %v, want %v", c.rows, c.counts, got, c.want)
		}
	}
}

// TestStrata: the class of a row for typical and for extreme values.
func TestStrata(t *testing.T) {
	for _, c := range []struct {
		by     string
		values []uint16 // of its columns
		want   string
	}{
		{"ply", []uint16{0}, "0-7"}, {"ply", []uint16{7}, "0-7"}, {"ply", []uint16{8}, "8-15"}, {"ply", []uint16{15}, "8-15"},
		{"ply", []uint16{16}, "16-31"}, {"ply", []uint16{1000}, "512-1023"}, {"ply", []uint16{65535}, "32768-65535"},
		{"outcome", []uint16{0xff}, "-1"}, {"outcome", []uint16{0}, "0"}, {"outcome", []uint16{1}, "1"}, {"outcome", []uint16{77}, "1"},
		{"phase", []uint16{0, 9}, "opening"}, {"phase", []uint16{2, 7}, "opening"}, {"phase", []uint16{3, 6}, "middle"},
		{"phase", []uint16{5, 4}, "middle"}, {"phase", []uint16{6, 3}, "end"}, {"phase", []uint16{8, 1}, "end"},
		{"phase", []uint16{0, 0}, "opening"}, {"phase", []uint16{9, 0}, "end"}, {"phase", []uint16{65535, 65535}, "middle"},
		{"side", []uint16{0}, "0"}, {"side", []uint16{1}, "1"}, {"side", []uint16{9}, "1"},
	} {
		s := must.Get(FindStrata(c.by))(t)
		var columns []encode.Column
		for _, all := range (encode.View{Layout: &encode.Games()[0].Layouts[0]}).Columns() {
			if slices.Contains(s.columns, all.Name) {
				columns = append(columns, all)
			}
		}
		row := encode.NewTable(columns)
		row.Rows = 1
		for col, v := range c.values {
			if columns[col].Kind.Size() == 2 {
				row.AddUint16(col, v)
			} else {
				row.AddUint8(col, uint8(v))
			}
		}
		if got := s.strata[s.of(row, 0)]; got != c.want {
			t.Errorf("%s of %v: %s, want %s", c.by, c.values, got, c.want)
		}
	}
}
