package journal

import (
	"encoding/binary"
	"slices"

	"selfplay/datasets/internal/fault"
	"selfplay/engine"
)

// A record in a journal: numbers are uvarints, lists and texts begin with their
// length, list elements take their own width, little endian.
//
//	game, start, first player, second player, opening plies, result, reason,
//	actions, ranks, best, scores, nodes, policy sizes, policy actions, policy weights

// appendRecord appends the bytes of a record.
func appendRecord(dst []byte, r *engine.Record) []byte {
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
	dst = binary.AppendUvarint(dst, uint64(len(r.Nodes)))
	for _, n := range r.Nodes {
		dst = binary.LittleEndian.AppendUint32(dst, n)
	}
	for _, list := range [][]uint16{r.PolicySize, r.PolicyAction, r.PolicyWeight} {
		dst = appendList16(dst, list)
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

// recordReader takes a record apart. What is not there reads as nothing and sets bad.
type recordReader struct {
	data []byte
	bad  bool
}

// parseRecord reads a record that takes all of data.
func parseRecord(data []byte) (*engine.Record, error) {
	p := &recordReader{data: data}
	r := &engine.Record{Game: p.number(^uint64(0)), Start: string(p.list(1))}
	r.Players = [2]string{string(p.list(1)), string(p.list(1))}
	r.OpeningPlies = uint16(p.number(1<<16 - 1))
	r.Outcome = engine.Outcome{Result: engine.Result(p.number(255)), Reason: engine.Reason(p.number(255))}
	r.Actions = list16[uint16](p)
	r.MoveRanks = slices.Clone(p.list(1))
	r.Best = list16[uint16](p)
	r.Scores = list16[int16](p)
	for v := p.list(4); len(v) > 0; v = v[4:] {
		r.Nodes = append(r.Nodes, binary.LittleEndian.Uint32(v))
	}
	r.PolicySize, r.PolicyAction, r.PolicyWeight = list16[uint16](p), list16[uint16](p), list16[uint16](p)
	if p.bad || len(p.data) > 0 {
		return nil, fault.Corrupt("not the record of a game")
	}
	return r, nil
}

// number reads a number of at most most.
func (p *recordReader) number(most uint64) uint64 {
	v, n := binary.Uvarint(p.data)
	if n <= 0 || v > most {
		p.bad, p.data = true, nil
		return 0
	}
	p.data = p.data[n:]
	return v
}

// list reads the bytes of a list with elements of a size.
func (p *recordReader) list(size int) []byte {
	n := p.number(uint64(len(p.data) / size))
	if uint64(len(p.data)) < n*uint64(size) { // the length itself took some
		p.bad, p.data = true, nil
		return nil
	}
	v := p.data[:n*uint64(size)]
	p.data = p.data[len(v):]
	return v
}

func list16[T uint16 | int16](p *recordReader) (list []T) {
	for v := p.list(2); len(v) > 0; v = v[2:] {
		list = append(list, T(binary.LittleEndian.Uint16(v)))
	}
	return list
}
