package contrast

// A position text is the 29 elements of the array, separated by commas, a blank, and the
// side to move: x for Black, o for White.

// StartText is the text of the start of the game.
const StartText = "3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,3,1,3,1 x"

var sideLetters = [2]byte{'x', 'o'}

// String returns the canonical text.
func (p *Position) String() string {
	b := make([]byte, 0, len(StartText))
	for _, v := range p.Array() {
		b = append(b, '0'+v, ',')
	}
	b[len(b)-1] = ' '
	return string(append(b, sideLetters[p.turn&1]))
}
