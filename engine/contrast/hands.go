package contrast

// hand is the tiles that a player has left: the number of black ones, 0 to 3, plus 4
// for the gray one.
type hand uint8

const (
	oneBlack hand = 1
	oneGray  hand = 4
)

// tileUnits holds what one tile of each kind adds to a hand.
var tileUnits = [4]hand{blackTile: oneBlack, grayTile: oneGray}

func (h hand) black() uint8 { return uint8(h & 3) }
func (h hand) gray() uint8  { return uint8(h >> 2) }

// holds reports whether the hand has a tile of a kind.
func (h hand) holds(kind uint8) bool {
	if kind == grayTile {
		return h.gray() > 0
	}
	return h.black() > 0
}

// tileKinds lists the kinds of tiles in a hand.
type tileKinds struct {
	n     uint32
	kinds [2]uint8
}

// tileKindsOf is indexed by hand.
var tileKindsOf = func() (t [8]tileKinds) {
	for h := range t {
		c := &t[h]
		if hand(h).black() > 0 {
			c.kinds[c.n&1] = blackTile
			c.n++
		}
		if hand(h).gray() > 0 {
			c.kinds[c.n&1] = grayTile
			c.n++
		}
	}
	return t
}()

// tileKinds returns the kinds of tiles that the side to move may place.
func (p *Position) tileKinds() *tileKinds { return &tileKindsOf[p.hands[p.turn&1]&7] }
