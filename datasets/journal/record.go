package journal

import (
	"encoding/binary"
	"slices"

	"selfplay/datasets/internal/fault"
	"selfplay/engine"
)

// AppendRecord appends the encoded record of a game, in the layout of the package
// comment.
func AppendRecord(dst []byte, r *engine.Record) []byte {
	dst = binary.AppendUvarint(dst, r.Game)
	for _, text := range []string{r.Start, r.Players[0], r.Players[1]} {
		dst = append(binary.AppendUvarint(dst, uint64(len(text))), text...)
	}
	for _, n := range []uint64{uint64(r.OpeningPlies), uint64(r.Outcome.Result), uint64(r.Outcome.Reason)} {
		dst = binary.AppendUvarint(dst, n)
	}
	dst = appendList16(dst, r.Actions)
	dst = append(binary.AppendUvarint(dst, uint64(len(r.MoveRanks))), r.MoveRanks...)
	dst = appendList16(dst, r.Best)
	dst = appendList16(dst, r.Scores)
	dst = appendList32(dst, r.Nodes)
	for _, list := range [][]uint16{r.PolicySize, r.PolicyAction, r.PolicyWeight} {
		dst = appendList16(dst, list)
	}
	dst = appendList32(appendList16(appendList16(dst, r.OldBest), r.OldScores), r.OldNodes)
	for _, text := range r.Tags {
		dst = append(binary.AppendUvarint(dst, uint64(len(text))), text...)
	}
	return dst
}

func appendList32(dst []byte, list []uint32) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	for _, v := range list {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	return dst
}

func appendList16[T uint16 | int16](dst []byte, list []T) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	for _, v := range list {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(v))
	}
	return dst
}

// ParseRecord parses a record that takes all of data. The result shares no memory with
// data.
func ParseRecord(data []byte) (*engine.Record, error) {
	p := &recordParser{data: data}
	r := &engine.Record{Game: p.number(^uint64(0)), Start: string(p.list(1))}
	r.Players = [2]string{string(p.list(1)), string(p.list(1))}
	r.OpeningPlies = uint16(p.number(1<<16 - 1))
	r.Outcome = engine.Outcome{Result: engine.Result(p.number(255)), Reason: engine.Reason(p.number(255))}
	r.Actions = list16[uint16](p)
	r.MoveRanks = slices.Clone(p.list(1))
	r.Best = list16[uint16](p)
	r.Scores = list16[int16](p)
	r.Nodes = list32(p)
	r.PolicySize, r.PolicyAction, r.PolicyWeight = list16[uint16](p), list16[uint16](p), list16[uint16](p)
	r.OldBest, r.OldScores, r.OldNodes = list16[uint16](p), list16[int16](p), list32(p)
	for len(p.data) > 0 {
		r.Tags = append(r.Tags, string(p.list(1)))
	}
	if p.invalid || len(p.data) > 0 {
		return nil, fault.Corrupt("invalid record of a game")
	}
	return r, nil
}

// recordParser consumes an encoded record. After an error it returns zeros and empty
// lists.
type recordParser struct {
	data    []byte // not yet consumed
	invalid bool
}

func (p *recordParser) fail() {
	p.invalid, p.data = true, nil
}

// number consumes a number, which is at most limit.
func (p *recordParser) number(limit uint64) uint64 {
	v, n := binary.Uvarint(p.data)
	if n <= 0 || v > limit {
		p.fail()
		return 0
	}
	p.data = p.data[n:]
	return v
}

// list consumes a list of elements of size bytes and returns them as bytes of data.
func (p *recordParser) list(size int) []byte {
	n := p.number(uint64(len(p.data) / size))
	if uint64(len(p.data)) < n*uint64(size) { // after the bytes of the length
		p.fail()
		return nil
	}
	v := p.data[:n*uint64(size)]
	p.data = p.data[len(v):]
	return v
}

func list32(p *recordParser) (list []uint32) {
	for v := p.list(4); len(v) > 0; v = v[4:] {
		list = append(list, binary.LittleEndian.Uint32(v))
	}
	return list
}

func list16[T uint16 | int16](p *recordParser) (list []T) {
	for v := p.list(2); len(v) > 0; v = v[2:] {
		list = append(list, T(binary.LittleEndian.Uint16(v)))
	}
	return list
}
