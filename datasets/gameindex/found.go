package gameindex

import (
	"errors"
	"io/fs"

	"selfplay/datasets"
)

// found returns the hits up to the first group that is not done, or up to the limit.
func (s *search) found() *Found {
	f := &Found{Shards: len(s.state.shards), Hits: []Hit{}}
	at := s.at
	for i, o := range s.begun {
		shard := s.state.shards[s.todo[i]].commit.Shard
		if shard != at.shard {
			at = cursor{shard: shard}
		}
		if o != nil && o.err != nil {
			s.failed(f, o)
			continue
		}
		if o == nil || !s.add(f, o, &at) {
			f.Next = at.String()
			f.Searched = s.todo[i]
			return f
		}
	}
	f.Searched = f.Shards
	return f
}

// add adds the hits of a shard from at on, and moves at. It returns false if the shard is not done,
// or if there are enough hits.
func (s *search) add(f *Found, o *opened, at *cursor) bool {
	if o.groups == nil {
		return false
	}
	for ; at.group < len(o.groups); at.group++ {
		g := &o.groups[at.group]
		if !g.done {
			return false
		}
		for _, h := range g.hits {
			if h.row < at.row { // found in an earlier group or call
				continue
			}
			if len(f.Hits) == s.q.Limit {
				return false
			}
			f.Hits = append(f.Hits, Hit{s.state.game(o.shard, h.row), h.ply})
			at.row = h.row + 1
		}
	}
	return true
}

// failed notes a shard that was not read, unless it is gone.
func (s *search) failed(f *Found, o *opened) {
	if errors.Is(o.err, fs.ErrNotExist) && !s.ix.isCommitted(o.commit) {
		return
	}
	f.Failed = append(f.Failed, &datasets.ShardError{Op: "search", Shard: o.commit.Shard, Err: o.err})
}
