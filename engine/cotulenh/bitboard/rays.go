package bitboard

import "math/bits"

// Rays is a set of squares around a center, as far as five steps on the eight rays: one
// byte per direction in the order of cotulenh.Directions, and bit n-1 of it for the square
// n steps away. Reading its bits from the lowest gives the squares in the order in which
// both engines list steps. Bits 5 to 7 of each byte are 0; they keep carries in their byte.
type Rays uint64

const (
	raysLow   Rays = 0x0101_0101_0101_0101 // the first square of every ray
	raysGuard Rays = 0x8080_8080_8080_8080
	raysAll   Rays = 0x1F1F_1F1F_1F1F_1F1F
)

// maxDistance is the length of a ray: the range of a heroic air force or navy.
const maxDistance = 5

// rayOf is the bit of a direction and a distance.
func rayOf(direction, distance int) Rays { return 1 << (direction<<3 + distance - 1) }

// before returns the squares of each ray in front of its first square in o; all of a ray
// without one. Subtracting 1 from a byte sets all bits below its lowest one.
func (o Rays) before() Rays { return ((o | raysGuard) - raysLow) &^ o & raysAll }

// upTo is before with the first square in o.
func (o Rays) upTo() Rays { return (o.before()<<1 | raysLow) & raysAll }

// pop removes the first square of a set that is not empty and returns its bit number.
func (o *Rays) pop() uint8 {
	w := *o
	*o = w & (w - 1)
	return uint8(bits.TrailingZeros64(uint64(w))) & 63
}

// steps[i] is the difference between the square of bit i and the center.
var steps = func() (table [64]uint8) {
	for d, dir := range directions {
		for n := 1; n <= maxDistance; n++ {
			table[d<<3+n-1] = uint8(n * dir)
		}
	}
	return table
}()

// noRay is the entry of bitBetween for squares that share no ray, or are too far apart. It
// is a bit that no Rays has.
const noRay = 63

// bitBetween[b-a] is the bit of square b in the Rays around a, or noRay. A square eleven
// ranks away can look like one five steps away: use it only for squares within range.
var bitBetween = func() (table [256]uint8) {
	for i := range table {
		table[i] = noRay
	}
	for d := range directions {
		for n := 1; n <= maxDistance; n++ {
			i := d<<3 + n - 1
			table[steps[i]] = uint8(i)
		}
	}
	return table
}()

// The squares of a set on the rays around a center are gathered as in kindergarten
// bitboards (Isenberg): a line is isolated with a mask and brought into adjacent bits with
// a multiplication or, because the squares of a diagonal are on different files, by
// putting the ranks on top of each other. The eleven bits around the center then are an
// index of rayPairs. See docs/lab/bitboards.md for the comparison with other methods.

// rayPairs splits the eleven bits around a center, which is bit 5, into the ray backwards
// (bits 0-4 of the entry) and the ray forwards (bits 16-20).
var rayPairs = func() (table [2048]uint32) {
	for window := range table {
		back := bits.Reverse32(uint32(window)<<27) & 31
		table[window] = back | uint32(window)>>6<<16
	}
	return table
}()

// pairAt returns the rays of a line with the center at bit pos.
func pairAt(line uint64, pos uint8) uint32 { return rayPairs[line<<5>>(pos&15)&2047] }

// raysAt returns the squares of the set on the rays around a square.
func (b Board) raysAt(sq uint8) Rays { return b.straightAt(sq) | b.diagonalAt(sq) }

// straightAt is raysAt for the orthogonal rays.
func (b Board) straightAt(sq uint8) Rays {
	file, rank := sq&15, sq>>4
	column := pairAt(b.column(file), rank)
	row := bits.RotateLeft32(pairAt(b.row(rank), file), 16) // forwards is east, the second ray
	return Rays(column) | Rays(row)<<8
}

// diagonalAt is raysAt for the diagonal rays.
func (b Board) diagonalAt(sq uint8) Rays {
	file, rank := sq&15, sq>>4
	falling := pairAt(b.onFiles(&fallingLines[(rank-file)&31]), file)
	rising := bits.RotateLeft32(pairAt(b.onFiles(&risingLines[(rank+file)&31]), file), 16)
	return Rays(falling)<<32 | Rays(rising)<<40
}

// row returns the squares on a rank, file a in bit 0. Choosing the word would be a branch;
// a shift by 64 or more gives 0 instead.
func (b Board) row(rank uint8) uint64 {
	n := uint(rank) << 4
	return (b.A>>n | b.B>>(n-64) | b.C>>(n-128)) & 0x7FF
}

// column returns the squares on a file, rank 12 in bit 0. The multiplication moves bits
// 0, 16, 32 and 48 to bits 48 to 51.
func (b Board) column(file uint8) uint64 {
	const mask, gather = 0x0001_0001_0001_0001, 1<<48 | 1<<33 | 1<<18 | 1<<3
	file &= 15
	return b.A>>file&mask*gather>>48 | b.B>>file&mask*gather>>48<<4 | b.C>>file&mask*gather>>48<<8
}

// onFiles returns the files of the squares on a diagonal line.
func (b Board) onFiles(line *Board) uint64 {
	w := b.A&line.A | b.B&line.B | b.C&line.C
	w |= w >> 32
	return (w | w>>16) & 0x7FF
}

// fallingLines holds the diagonals from north-west to south-east by rank - file modulo 32;
// risingLines those from south-west to north-east by rank + file.
var fallingLines, risingLines = func() (falling, rising [32]Board) {
	for _, sq := range squares {
		file, rank := sq&15, sq>>4
		falling[(rank-file)&31].toggle(sq)
		rising[rank+file].toggle(sq)
	}
	return falling, rising
}()
