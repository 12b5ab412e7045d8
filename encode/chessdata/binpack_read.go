package chessdata

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
)

// binpackMagic begins a block.
const binpackMagic = "BINP"

// BinpackReader reads positions of binpack. It belongs to one goroutine.
type BinpackReader struct {
	r      *bufio.Reader
	left   uint32 // bytes of the block
	row    Row    // the last one
	number int    // of positions that were read
	at     int    // number of the last one that was returned, from 1
	more   uint16 // positions that continue its chain
	byte   byte   // of movetext
	free   uint   // bits of it that are not read yet
}

// NewBinpackReader returns a reader of r.
func NewBinpackReader(r io.Reader) *BinpackReader { return &BinpackReader{r: bufio.NewReader(r)} }

// Read returns the next position. It checks the ranges of all numbers, and that pieces move as
// they do, but no other rules. After the last position the error is io.EOF. After a *RowError
// the next position is that of the next chain.
func (b *BinpackReader) Read() (Row, error) {
	err := b.position()
	if err == nil && b.more > 0 {
		err = b.row.checkContinues()
	}
	row := b.row
	row.dropPassant()
	b.at = b.number
	if isRowError(err) {
		if broken := b.skipChain(); broken != nil {
			err = broken
		}
	}
	switch {
	case err == io.EOF:
		return Row{}, err
	case err != nil:
		return row, fmt.Errorf("read binpack: %w", err)
	}
	return row, nil
}

// dropPassant removes an en passant square at which nothing can be captured legally. Movetext counts on it as it stands.
func (r *Row) dropPassant() {
	p := &r.Position
	if p.EnPassant >= 0 && !passantIsLegal(p, uint8(passantPawn(p))) {
		p.EnPassant = -1
	}
}

// place returns the number of the last position that was returned, from 1.
func (b *BinpackReader) place() int { return b.at }

// position reads a position into b.row.
func (b *BinpackReader) position() error {
	if b.more == 0 {
		return b.stem()
	}
	if err := b.continuation(); err != nil {
		return fmt.Errorf("movetext: %w", err)
	}
	if b.row.Score == math.MinInt16 {
		return &RowError{Err: errScore}
	}
	return nil
}

// skipChain reads the rest of a chain that is not valid.
func (b *BinpackReader) skipChain() error {
	for b.more > 0 {
		if err := b.continuation(); err != nil {
			return fmt.Errorf("movetext: %w", err)
		}
	}
	return nil
}

// stem reads the first position of a chain.
func (b *BinpackReader) stem() error {
	for b.left == 0 {
		if err := b.header(); err == io.EOF {
			return err
		} else if err != nil {
			return fmt.Errorf("header of a block: %w", err)
		}
	}
	var data [binpackStem + binpackCount]byte
	if b.left < uint32(len(data)) {
		return fmt.Errorf("%d bytes are left in the block, a chain has %d or more", b.left, len(data))
	}
	if err := b.full(data[:]); err != nil {
		return err
	}
	b.number++
	b.more, b.free = binary.BigEndian.Uint16(data[binpackStem:]), 0
	return b.row.decodeStem(data[:])
}

func (b *BinpackReader) header() error {
	var data [8]byte
	if _, err := io.ReadFull(b.r, data[:]); err != nil {
		return err
	}
	if string(data[:4]) != binpackMagic {
		return fmt.Errorf("%q, want %s", data[:4], binpackMagic)
	}
	b.left = binary.LittleEndian.Uint32(data[4:])
	return nil
}

// full reads bytes of the block, which has enough.
func (b *BinpackReader) full(data []byte) error {
	_, err := io.ReadFull(b.r, data)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	b.left -= uint32(len(data))
	return err
}

// checkContinues returns an error if no position can continue the chain of the row.
func (r *Row) checkContinues() error {
	next, ok := r.next()
	if !ok {
		return &RowError{Err: errors.New("the chain goes on after a move that is none of its piece")}
	}
	if ply := plyOf(&next); ply > binpackPly {
		return &RowError{Err: fmt.Errorf("the chain goes on to ply %d: the format counts to %d", ply, binpackPly)}
	}
	return nil
}

// continuation reads the next position of a chain.
func (b *BinpackReader) continuation() error {
	r := &b.row
	next, _ := after(&r.Position, &r.Move)
	own, _ := sideSets(&next)
	piece, err := b.bits(bitsOf(bits.OnesCount64(own)))
	if err != nil {
		return err
	}
	if int(piece) >= bits.OnesCount64(own) {
		return fmt.Errorf("piece %d of %d", piece, bits.OnesCount64(own))
	}
	from := nth(own, int(piece))
	choices := choicesOf(&next, from)
	number, err := b.bits(bitsOf(choices.n))
	if err != nil {
		return err
	}
	r.Position = next
	r.Move, err = choices.move(&next, from^flip, int(number))
	if err != nil {
		return err
	}
	difference, err := b.score()
	r.Score, r.Result = difference-r.Score, -r.Result
	b.number++
	b.more--
	return err
}

// bits reads n bits, up to 8.
func (b *BinpackReader) bits(n uint) (number uint16, err error) {
	if n > b.free {
		number = uint16(b.byte) & (1<<b.free - 1)
		if b.left == 0 {
			return 0, errors.New("the block ends in it")
		}
		var next [1]byte
		if err := b.full(next[:]); err != nil {
			return 0, err
		}
		n, b.byte, b.free = n-b.free, next[0], 8
	}
	b.free -= n
	return number<<n | uint16(b.byte)>>b.free&(1<<n-1), nil
}

// score reads a difference of scores.
func (b *BinpackReader) score() (int16, error) {
	difference := uint16(0)
	for shift := 0; shift < 16; shift += binpackGroup {
		group, err := b.bits(binpackGroup + 1)
		if err != nil {
			return 0, err
		}
		difference |= group & (1<<binpackGroup - 1) << shift
		if group>>binpackGroup == 0 {
			return unzigzag(difference), nil
		}
	}
	return 0, errors.New("a score of more than 16 bits")
}
