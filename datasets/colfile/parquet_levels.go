package colfile

import (
	"encoding/binary"
	"selfplay/datasets/internal/fault"
)

// A list column has two levels a value, both one bit wide: the repetition level
// is 0 where a row begins, the definition level is 0 for an empty list. A page
// starts with both, each as a length (uint32) and runs: the number of equal
// levels times two as a varint, then the level as a byte. The format also allows
// bit-packed levels; this package never writes them.

// levelRuns writes runs of levels, merging equal neighbours.
type levelRuns struct {
	dst   []byte
	level byte
	count int
}

// startLevels leaves room for the length.
func startLevels(dst []byte) levelRuns { return levelRuns{dst: append(dst, 0, 0, 0, 0)} }

func (r *levelRuns) add(level byte, count int) {
	if level != r.level {
		r.flush()
		r.level = level
	}
	r.count += count
}

func (r *levelRuns) flush() {
	if r.count > 0 {
		r.dst = binary.AppendUvarint(r.dst, uint64(r.count)<<1)
		r.dst = append(r.dst, r.level)
		r.count = 0
	}
}

// finish writes the length of what was added since startLevels at offset start.
func (r *levelRuns) finish(start int) []byte {
	r.flush()
	binary.LittleEndian.PutUint32(r.dst[start:], uint32(len(r.dst)-start-4))
	return r.dst
}

// appendArrayLevels appends the levels of rows arrays of n values.
func appendArrayLevels(dst []byte, rows, n int) []byte {
	start := len(dst)
	rep := startLevels(dst)
	for range rows {
		rep.add(0, 1)
		rep.add(1, n-1)
	}
	dst = rep.finish(start)
	start = len(dst)
	def := startLevels(dst)
	def.add(1, rows*n)
	return def.finish(start)
}

// appendListLevels appends the levels of lists that end where ends says, and
// returns how many there are.
func appendListLevels(dst []byte, ends []int32) ([]byte, int) {
	start, levels := len(dst), 0
	rep := startLevels(dst)
	previous := int32(0)
	for _, end := range ends {
		n := int(end - previous)
		rep.add(0, 1)
		rep.add(1, max(n-1, 0))
		levels += max(n, 1)
		previous = end
	}
	dst = rep.finish(start)

	start, previous = len(dst), 0
	def := startLevels(dst)
	for _, end := range ends {
		if n := int(end - previous); n > 0 {
			def.add(1, n)
		} else {
			def.add(0, 1)
		}
		previous = end
	}
	return def.finish(start), levels
}

// cutLevels splits one kind of levels off a page.
func cutLevels(page []byte) (levels, rest []byte, err error) {
	if len(page) < 4 {
		return nil, nil, fault.Corrupt("page ends in its levels")
	}
	n := binary.LittleEndian.Uint32(page)
	page = page[4:]
	if uint64(n) > uint64(len(page)) {
		return nil, nil, fault.Corrupt("levels of %d bytes in a page of %d", n, len(page))
	}
	return page[:n], page[n:], nil
}

// unpackLevels appends count levels to dst.
func unpackLevels(dst, runs []byte, count int) ([]byte, error) {
	for len(runs) > 0 {
		head, n := binary.Uvarint(runs)
		if n <= 0 || n >= len(runs) || head&1 != 0 || runs[n] > 1 || head>>1 > uint64(count-len(dst)) {
			return nil, fault.Corrupt("run of levels")
		}
		for range head >> 1 {
			dst = append(dst, runs[n])
		}
		runs = runs[n+1:]
	}
	if len(dst) != count {
		return nil, fault.Corrupt("%d levels, want %d", len(dst), count)
	}
	return dst, nil
}

// listEnds returns the ends of the lists that levels describe.
func listEnds(dst []int32, rep, def []byte) ([]int32, error) {
	dst = dst[:0]
	values := int32(0)
	for i := range rep {
		switch {
		case rep[i] == 0:
			if i > 0 {
				dst = append(dst, values)
			}
		case i == 0 || def[i] == 0 || def[i-1] == 0:
			return nil, fault.Corrupt("list without a beginning")
		}
		values += int32(def[i])
	}
	if len(rep) > 0 {
		dst = append(dst, values)
	}
	return dst, nil
}
