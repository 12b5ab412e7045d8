package rowstream

import (
	"selfplay/datasets/colfile"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
)

// spare is the part of the tables that is added for what they grow in advance, and for the
// batches on their way to the consumer.
const spare = 4

// Memory returns about how many bytes the stream takes at most, if these are the committed shards.
// Lists count as long as those of the first row group of the split are on average: Memory reads
// them. A shard that it cannot read is no error of Memory, but of Rows.
func (s *Stream) Memory(commits []*record.Commit) int64 {
	first, group := s.firstPart(commits), s.groupRows(commits)
	rows := int64(max(s.o.Window, 1)) - 1 + group // the last group of a window may exceed it
	held := readAhead * rows * s.rowBytes(s.columns, first)
	if s.o.Window > 0 {
		held += rows * orderBytes
	}
	held += held / spare
	if s.o.World > 1 { // a group that readers share is decoded whole
		held += group * s.rowBytes(s.columns, first)
	}
	if s.ds.Plan().Format == plan.Arrow { // each open shard has a batch, decoded with all columns
		held += int64(s.openShards()) * group * s.rowBytes(s.ds.Description().Columns, first)
	}
	return held
}

// orderBytes is the size of a row in the order of a window.
const orderBytes = 8

// firstPart returns the first part of the split that has rows, nil if there is none.
func (s *Stream) firstPart(commits []*record.Commit) *record.Part {
	for _, c := range commits {
		if p := c.PartOf(s.o.Split); p != nil && p.Rows > 0 {
			return p
		}
	}
	return nil
}

// groupRows returns the most rows that a group of the split has. Shards that are still to come may
// have full ones.
func (s *Stream) groupRows(commits []*record.Commit) int64 {
	p := s.ds.Plan()
	full := int64(colfile.PositionGroupRows)
	if p.Format == plan.Arrow {
		full = colfile.BatchRows + int64(p.MaxPlies) // the last game may exceed a batch
	}
	if s.o.Wait != nil {
		return full
	}
	largest := uint64(0)
	for _, c := range commits {
		if p := c.PartOf(s.o.Split); p != nil {
			largest = max(largest, p.Rows)
		}
	}
	return min(full, int64(largest))
}

// rowBytes returns how many bytes a row of columns takes in a table.
func (s *Stream) rowBytes(columns []encode.Column, sample *record.Part) (n int64) {
	var lists []string
	for _, c := range columns {
		if c.Len == encode.Var {
			lists = append(lists, c.Name)
		} else {
			n += int64(max(c.Len, 1) * c.Kind.Size())
		}
	}
	if lists == nil {
		return n
	}
	size, err := s.listBytes(lists, sample)
	if err != nil || size == 0 {
		size = unknownList * int64(len(lists))
	}
	return n + size
}

// unknownList is the size of a list in bytes before the first shard: 254 moves, and its end.
const unknownList = 512

// listBytes returns how many bytes the lists of a row take on average in the first group of a
// shard, rounded up; 0 without a shard.
func (s *Stream) listBytes(names []string, p *record.Part) (int64, error) {
	if p == nil {
		return 0, nil
	}
	part := s.ds.Part(p)
	defer part.Close()
	r, err := part.Columns(plan.PositionsFile, names...)
	if err != nil {
		return 0, err
	}
	t, err := r.Read(0)
	if err != nil {
		return 0, err
	}
	size := 0
	for col := range t.Columns {
		size += len(t.Data[col]) + 4*len(t.Ends[col])
	}
	return int64(size/max(t.Rows, 1)) + 1, nil
}
