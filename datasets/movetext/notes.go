package movetext

// Remark is a kind of thing that texts of games have and records do not, or have in another way.
type Remark uint8

// The remarks.
const (
	UnreadScores  Remark = iota // comments that look like scores
	WholeScores                 // scores without a decimal point
	DroppedRights               // castling rights of start positions, without king or rook at home
	CutComments                 // comments of which only the first bytes were read
	EditedNames                 // names of players that are too long or have characters that are not printed
	NumRemarks
)

// Note says how often a remark holds, and where first.
type Note struct {
	Count uint64
	Place
	Text string // of the first one, cut
}

// Notes are the notes by remark.
type Notes [NumRemarks]Note

// Notes returns those of the game that Parse has read last, if it took it.
func (p *Parser) Notes() *Notes { return &p.notes }

// note notes something about the byte at an offset of the text.
func (p *Parser) note(remark Remark, text []byte, offset int) {
	n := &p.notes[remark]
	n.Count++
	if n.Count == 1 {
		n.Place, n.Text = p.t.placeOf(offset), printable(plainName(text))
	}
}
