package sample

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"

	"selfplay/encode"
)

// Strata divide the rows of a dataset into classes by the values of some columns.
type Strata struct {
	Name    string   // "" if all rows are in one class
	strata  []string // names of the classes
	columns []string // that of reads
	// of returns the class of a row of a table of these columns. It returns a class for
	// any values: a damaged file must not cause a panic.
	of func(t *encode.Table, row int) int
}

// all returns all strata. The first puts all rows into one class.
func all() []*Strata {
	return []*Strata{
		{Name: "", strata: []string{"all"}, of: func(*encode.Table, int) int { return 0 }},
		{Name: "ply", strata: plyBands(), columns: []string{encode.PlyColumn}, of: func(t *encode.Table, row int) int {
			return bits.Len16(uint16At(t, 0, row) / firstBand)
		}},
		{Name: "outcome", strata: []string{"-1", "0", "1"}, columns: []string{"outcome"}, of: func(t *encode.Table, row int) int {
			return cmp.Compare(int8(t.Data[0][row]), 0) + 1
		}},
		{Name: "phase", strata: encode.Phases(), columns: []string{encode.PlyColumn, "plies_left"}, of: func(t *encode.Table, row int) int {
			return encode.Phase(uint16At(t, 0, row), uint16At(t, 1, row))
		}},
		{Name: "side", strata: []string{"0", "1"}, columns: []string{encode.SideColumn}, of: func(t *encode.Table, row int) int {
			return int(t.Data[0][row] & 1)
		}},
	}
}

// firstBand is the number of plies in the first class of strata ply. Each further class
// doubles the plies: 0-7, 8-15, 16-31 and so on.
const firstBand = 8

func plyBands() (names []string) {
	for from, to := 0, firstBand; from < 1<<16; from, to = to, 2*to {
		names = append(names, fmt.Sprintf("%d-%d", from, to-1))
	}
	return names
}

func uint16At(t *encode.Table, col, row int) uint16 {
	return binary.LittleEndian.Uint16(t.Data[col][2*row:])
}

// Names returns the names of all strata but "".
func Names() (names []string) {
	for _, s := range all()[1:] {
		names = append(names, s.Name)
	}
	return names
}

// Find returns the strata of a name; "" puts all rows into one class.
func Find(name string) (*Strata, error) {
	for _, s := range all() {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("unknown strata %q: want one of %s", name, strings.Join(Names(), ", "))
}
