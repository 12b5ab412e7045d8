package colfile

import (
	"encoding/binary"
	"errors"

	"selfplay/datasets/internal/fault"
)

// A page of arrays or lists begins with its repetition levels, then its definition
// levels, each one bit wide and one per value. The repetition level is 0 for the first
// value of a row and 1 for the others. The definition level is 1, or 0 for the
// placeholder of an empty list. Both are stored as a length in bytes (uint32) and runs
// of equal levels: twice the count as a varint, then the level as a byte. Parquet also
// allows bit-packed levels, which this package neither writes nor reads.

// levelRuns writes runs of levels and merges neighbours of the same level.
type levelRuns struct {
	dst   []byte
	level byte
	count int
}

// startLevels reserves the length.
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

// finish writes the last run, and the length at start, the offset of startLevels.
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

// appendListLevels appends the levels of lists with the given ends and returns how many
// levels of each sort there are.
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

// cutLevels splits the runs of one sort of levels off a page.
func cutLevels(page []byte) (runs, rest []byte, err error) {
	if len(page) < 4 {
		return nil, nil, fault.Corrupt("page ends inside its levels")
	}
	n := binary.LittleEndian.Uint32(page)
	page = page[4:]
	if uint64(n) > uint64(len(page)) {
		return nil, nil, fault.Corrupt("levels of %d bytes in a page of %d", n, len(page))
	}
	return page[:n], page[n:], nil
}

// levelReader reads runs of levels.
type levelReader struct {
	runs  []byte // later runs
	level byte   // of the current run
	count int    // levels left in the current run
	left  int    // levels that later runs may have
}

// fill reads the next run if the current one is used up. At the end of the runs count stays 0.
func (r *levelReader) fill() error {
	for r.count == 0 && len(r.runs) > 0 {
		head, n := binary.Uvarint(r.runs)
		if n <= 0 || n >= len(r.runs) || head&1 != 0 || r.runs[n] > 1 || head>>1 > uint64(r.left) {
			return fault.Corrupt("invalid run of levels")
		}
		r.level, r.count = r.runs[n], int(head>>1)
		r.left -= r.count
		r.runs = r.runs[n+1:]
	}
	return nil
}

// appendListEnds appends to an empty dst the ends of the lists that count levels of each sort
// describe.
func appendListEnds(dst []int32, rep, def []byte, count int) ([]int32, error) {
	r, d := levelReader{runs: rep, left: count}, levelReader{runs: def, left: count}
	values, present := int32(0), byte(0) // present is the last definition level
	for done := 0; done < count; {
		if err := errors.Join(r.fill(), d.fill()); err != nil {
			return nil, err
		}
		n := min(r.count, d.count)
		switch {
		case n == 0:
			return nil, fault.Corrupt("%d levels, want %d", done, count)
		case r.level == 0:
			dst, values = appendStarts(dst, values, n, int32(d.level))
		case d.level == 0 || present == 0:
			return nil, fault.Corrupt("levels continue a list without a first value")
		default:
			values += int32(n)
		}
		present = d.level
		r.count -= n
		d.count -= n
		done += n
	}
	if err := errors.Join(r.fill(), d.fill()); err != nil || count == 0 {
		return dst, err
	}
	copy(dst, dst[1:]) // a list ends where the next one starts
	dst[len(dst)-1] = values
	return dst, nil
}

// appendStarts appends the starts of n lists, each with the given number of values so far,
// and returns the number of values.
func appendStarts(dst []int32, values int32, n int, first int32) ([]int32, int32) {
	for range n {
		dst = append(dst, values)
		values += first
	}
	return dst, values
}
