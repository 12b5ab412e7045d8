package colfile

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v17/parquet"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// Approximate size of a page before compression. A board resembles the one before it, so
// boards compress best and fastest in small pages; counters do in large ones. A page of at most
// 128 KiB is one block of zstd, which the encoder compresses without keeping a history.
const (
	pageBytes      = 256 << 10
	blockPageBytes = 112 << 10 // labels, lists and strings, which have few matches
	arrayPageBytes = 64 << 10
)

// form is the page layout of a column.
type form uint8

const (
	plainForm    form = iota // one INT32 or INT64 per row
	bitForm                  // one bit per row
	bytesForm                // the little-endian bytes of each array
	arrayForm                // levels of arrays, then the values as INT32 or INT64
	identityForm             // levels of arrays, then indexes into the identity dictionary
	labelForm                // one index per row into the dictionary of labels
	listForm                 // levels of lists, then the values as INT32 or INT64
	stringForm               // length and bytes of each row
)

// leaf lays out the pages of one column.
//
// Arrays of uint8 and uint16 take identityForm, because Parquet has no narrow integers:
// as INT32 an array of uint16 is twice its size, and compression, checksum and
// verification take twice the time. A dictionary index may be as wide as the writer
// likes. At 16 bits the packed indexes are the little-endian values, byte for byte, if
// entry i of the dictionary is i. Readers unpack them like any dictionary. The
// dictionary costs four bytes per number up to the largest one, once per row group.
type leaf struct {
	column   encode.Column
	form     form
	pageRows int    // rows of a full page; 0 if cells differ in size
	levels   []byte // arrayForm and identityForm: the levels of a full page
}

func newLeaf(c encode.Column, packed bool) *leaf {
	l := &leaf{column: c, form: formOf(c, packed)}
	switch l.form {
	case listForm, stringForm:
	case plainForm, bitForm:
		l.pageRows = pageBytes / physicalSize(c.Kind)
	case labelForm:
		l.pageRows = blockPageBytes / c.Kind.Size()
	default: // a multiple of eight rows fills whole groups of eight indexes
		l.pageRows = max(8, arrayPageBytes/(c.Len*c.Kind.Size())&^7)
	}
	if l.form == arrayForm || l.form == identityForm {
		l.levels = appendArrayLevels(nil, l.pageRows, c.Len)
	}
	return l
}

func formOf(c encode.Column, packed bool) form {
	switch {
	case c.Kind == encode.String:
		return stringForm
	case c.Kind == encode.Bool:
		return bitForm
	case c.Len == encode.Scalar && c.Kind == encode.Uint16 && c.Label:
		return labelForm
	case c.Len == encode.Scalar:
		return plainForm
	case c.Len == encode.Var:
		return listForm
	case packed:
		return bytesForm
	case c.Kind == encode.Uint8 || c.Kind == encode.Uint16:
		return identityForm
	}
	return arrayForm
}

// encoding returns the encoding that page headers state.
func (l *leaf) encoding() parquet.Encoding {
	if l.hasDictionary() {
		return parquet.Encodings.RLEDict
	}
	return parquet.Encodings.Plain
}

func (l *leaf) hasDictionary() bool { return l.form == identityForm || l.form == labelForm }

// cellSize returns the bytes of one row. The column is not Var.
func (l *leaf) cellSize() int { return max(l.column.Len, 1) * l.column.Kind.Size() }

// arrayLevels returns the levels of a page of rows arrays.
func (l *leaf) arrayLevels(rows int) []byte {
	if rows == l.pageRows {
		return l.levels
	}
	return appendArrayLevels(nil, rows, l.column.Len)
}

// encode appends the body of a page of the cells to dst and updates the dictionary and the
// statistics of the chunk. It returns the body and the number of values for the page header.
func (c *chunk) encode(dst []byte, v Cells) (body []byte, values int) {
	column := c.leaf.column
	switch c.leaf.form {
	case plainForm:
		c.extremes.add(column.Kind, v.Values)
		return widen(dst, column.Kind, v.Values), v.Rows
	case bitForm:
		return packBits(dst, v.Values), v.Rows
	case arrayForm:
		dst = append(dst, c.leaf.arrayLevels(v.Rows)...)
		return widen(dst, column.Kind, v.Values), v.Rows * column.Len
	case identityForm:
		size := column.Kind.Size()
		c.set |= bitsSet(v.Values, size)
		values = v.Rows * column.Len
		dst = appendIndexHeader(append(dst, c.leaf.arrayLevels(v.Rows)...), values, size)
		return appendPadding(append(dst, v.Values...), values, size), values
	case labelForm:
		c.extremes.add(column.Kind, v.Values)
		dst = appendIndexHeader(dst, v.Rows, 2)
		return appendPadding(c.labels.appendIndexes(dst, v.Values), v.Rows, 2), v.Rows
	case listForm:
		dst, values = appendListLevels(dst, v.Ends)
		return widen(dst, column.Kind, v.Values), values
	case stringForm:
		return appendStrings(dst, v), v.Rows
	default:
		panic("colfile: unknown form")
	}
}

// packBits appends values, each 0 or 1, eight per byte, the first in the lowest bit.
func packBits(dst, values []byte) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, (len(values)+7)/8)...)
	for i, v := range values {
		dst[start+i/8] |= v << (i % 8)
	}
	return dst
}

// appendStrings appends each string as its length (uint32) and its bytes.
func appendStrings(dst []byte, c Cells) []byte {
	start := int32(0)
	for _, end := range c.Ends {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(end-start))
		dst = append(dst, c.Values[start:end]...)
		start = end
	}
	return dst
}

// extremes are the least and the greatest value of a column chunk, as keys that compare
// as the values do: a signed value has its sign bit flipped.
type extremes struct {
	min, max uint64
	any      bool // there are values
}

// add includes values of an integer kind.
func (e *extremes) add(k encode.Kind, values []byte) {
	if !e.any {
		e.min, e.any = ^uint64(0), true
	}
	lo, hi, sign := e.min, e.max, signBit(k)
	switch k.Size() {
	case 1:
		for _, v := range values {
			key := uint64(v) ^ sign
			lo, hi = min(lo, key), max(hi, key)
		}
	case 2:
		for ; len(values) >= 2; values = values[2:] {
			key := uint64(binary.LittleEndian.Uint16(values)) ^ sign
			lo, hi = min(lo, key), max(hi, key)
		}
	case 4:
		for ; len(values) >= 4; values = values[4:] {
			key := uint64(binary.LittleEndian.Uint32(values))
			lo, hi = min(lo, key), max(hi, key)
		}
	default:
		for ; len(values) >= 8; values = values[8:] {
			key := binary.LittleEndian.Uint64(values)
			lo, hi = min(lo, key), max(hi, key)
		}
	}
	e.min, e.max = lo, hi
}

// signBit returns the sign bit of a signed kind, 0 for the others.
func signBit(k encode.Kind) uint64 {
	if Signed(k) {
		return 1 << (8*k.Size() - 1)
	}
	return 0
}

// statistic returns the value of a key as Parquet's statistics store it: plain.
func statistic(k encode.Kind, key uint64) []byte {
	value := binary.LittleEndian.AppendUint64(nil, key^signBit(k))
	return widen(nil, k, value[:k.Size()])
}

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

// The dictionary indexes of a page are their width in bits, then one bit-packed run, padded
// to a multiple of eight indexes.

// appendIndexHeader appends what precedes count indexes of size bytes each.
func appendIndexHeader(dst []byte, count, size int) []byte {
	dst = append(dst, byte(8*size))
	return binary.AppendUvarint(dst, uint64(indexGroups(count))<<1|1)
}

// appendPadding appends what follows count indexes of size bytes each.
func appendPadding(dst []byte, count, size int) []byte {
	for range (indexGroups(count)*8 - count) * size {
		dst = append(dst, 0)
	}
	return dst
}

// indexGroups returns the groups of eight that count indexes fill.
func indexGroups(count int) int { return (count + 7) / 8 }

// identitySize returns the entries of the identity dictionary for values whose set bits
// are known: the power of two above them.
func identitySize(set uint64) int { return 1 << bits.Len64(set) }

// bitsSet returns the bits that are set in any of the values of size bytes, 1 or 2.
func bitsSet(values []byte, size int) uint64 {
	var set uint64
	for ; len(values) >= 32; values = values[32:] {
		set |= binary.LittleEndian.Uint64(values) | binary.LittleEndian.Uint64(values[8:]) |
			binary.LittleEndian.Uint64(values[16:]) | binary.LittleEndian.Uint64(values[24:])
	}
	for ; len(values) >= 8; values = values[8:] {
		set |= binary.LittleEndian.Uint64(values)
	}
	for i, b := range values {
		set |= uint64(b) << (8 * i)
	}
	set |= set >> 32
	set |= set >> 16
	if size == 1 {
		set |= set >> 8
	}
	return set & (1<<(8*size) - 1)
}

// appendIdentity appends the page of the identity dictionary: the numbers from 0 as
// INT32.
func appendIdentity(dst []byte, entries int) []byte {
	for i := range entries {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(i))
	}
	return dst
}

// labelDictionary holds the values of a chunk of uint16 in order of first occurrence.
type labelDictionary struct {
	values []uint16
	index  [1 << 16]uint16 // of each value; stale unless values has it there
}

func (l *labelDictionary) reset() { l.values = l.values[:0] }

// appendIndexes appends the indexes of little-endian values and adds new values to the
// dictionary.
func (l *labelDictionary) appendIndexes(dst, values []byte) []byte {
	start := len(dst)
	dst = slices.Grow(dst, len(values))[:start+len(values)]
	out := dst[start:]
	for i := 0; i < len(values); i += 2 {
		v := binary.LittleEndian.Uint16(values[i:])
		at := l.index[v]
		if int(at) >= len(l.values) || l.values[at] != v {
			at = uint16(len(l.values))
			l.index[v] = at
			l.values = append(l.values, v)
		}
		binary.LittleEndian.PutUint16(out[i:], at)
	}
	return dst
}

// appendPage appends the body of the dictionary page: the values as INT32.
func (l *labelDictionary) appendPage(dst []byte) []byte {
	for _, v := range l.values {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	return dst
}

// parseLabels returns the values of a dictionary page; false unless all are uint16 and
// at most 65,536.
func parseLabels(body []byte) ([]uint16, bool) {
	if len(body)%4 != 0 || len(body) > 4<<16 {
		return nil, false
	}
	labels := make([]uint16, 0, len(body)/4)
	for ; len(body) > 0; body = body[4:] {
		v := binary.LittleEndian.Uint32(body)
		if v > 0xFFFF {
			return nil, false
		}
		labels = append(labels, uint16(v))
	}
	return labels, true
}

// appendLabels appends the values of indexes, two bytes each; false if an index is
// outside the dictionary.
func appendLabels(dst []byte, labels []uint16, indexes []byte) ([]byte, bool) {
	for ; len(indexes) >= 2; indexes = indexes[2:] {
		at := int(binary.LittleEndian.Uint16(indexes))
		if at >= len(labels) {
			return dst, false
		}
		dst = binary.LittleEndian.AppendUint16(dst, labels[at])
	}
	return dst, true
}

// physicalSize returns the bytes of a plain value in Parquet: INT32 or INT64.
func physicalSize(k encode.Kind) int {
	if k == encode.Uint64 {
		return 8
	}
	return 4
}

// widen appends little-endian values of kind k as INT32 or INT64. Signed values keep their
// sign.
func widen(dst []byte, k encode.Kind, values []byte) []byte {
	n := len(values) / k.Size()
	start := len(dst)
	dst = slices.Grow(dst, n*physicalSize(k))[:start+n*physicalSize(k)]
	out := dst[start:]
	switch k {
	case encode.Uint8:
		for i, v := range values {
			binary.LittleEndian.PutUint32(out[4*i:], uint32(v))
		}
	case encode.Int8:
		for i, v := range values {
			binary.LittleEndian.PutUint32(out[4*i:], uint32(int8(v)))
		}
	case encode.Uint16:
		for i := range n {
			binary.LittleEndian.PutUint32(out[4*i:], uint32(binary.LittleEndian.Uint16(values[2*i:])))
		}
	case encode.Int16:
		for i := range n {
			binary.LittleEndian.PutUint32(out[4*i:], uint32(int16(binary.LittleEndian.Uint16(values[2*i:]))))
		}
	default: // stored as wide as it is
		copy(out, values)
	}
	return dst
}

// narrow appends stored INT32 or INT64 values as values of kind k and reports whether all
// fit.
func narrow(dst []byte, k encode.Kind, stored []byte) ([]byte, bool) {
	n := len(stored) / physicalSize(k)
	start := len(dst)
	dst = slices.Grow(dst, n*k.Size())[:start+n*k.Size()]
	out := dst[start:]
	var lost uint32 // bits that do not fit, of all values
	switch k {
	case encode.Uint8:
		for i := range n {
			v := binary.LittleEndian.Uint32(stored[4*i:])
			out[i] = byte(v)
			lost |= v >> 8
		}
	case encode.Int8:
		for i := range n {
			v := binary.LittleEndian.Uint32(stored[4*i:])
			out[i] = byte(v)
			lost |= v ^ uint32(int8(v))
		}
	case encode.Uint16:
		for i := range n {
			v := binary.LittleEndian.Uint32(stored[4*i:])
			binary.LittleEndian.PutUint16(out[2*i:], uint16(v))
			lost |= v >> 16
		}
	case encode.Int16:
		for i := range n {
			v := binary.LittleEndian.Uint32(stored[4*i:])
			binary.LittleEndian.PutUint16(out[2*i:], uint16(v))
			lost |= v ^ uint32(int16(v))
		}
	default:
		copy(out, stored)
	}
	return dst, lost == 0
}
