package engine

// Perft counts the legal move sequences of length depth. Only an empty move list ends
// a sequence early; Outcome is ignored. Moves of the last ply are counted, not played.
func Perft(p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	counter, _ := p.(Counter)
	return perft(p, counter, make([][]Move, depth))
}

// perft reuses one list per level, so that a long count does not allocate. counter is
// p if p implements Counter, else nil.
func perft(p Position, counter Counter, lists [][]Move) uint64 {
	if len(lists) == 1 && counter != nil {
		return uint64(counter.Count())
	}
	list := p.Moves(lists[0][:0])
	lists[0] = list
	if len(lists) == 1 {
		return uint64(len(list))
	}
	var nodes uint64
	for _, m := range list {
		p.Do(m)
		nodes += perft(p, counter, lists[1:])
		p.Undo()
	}
	return nodes
}

// PerftLeaf is Perft with Do and Undo at every leaf. It measures making moves, where
// Perft measures move generation.
func PerftLeaf(p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perftLeaf(p, make([][]Move, depth))
}

func perftLeaf(p Position, lists [][]Move) uint64 {
	list := p.Moves(lists[0][:0])
	lists[0] = list
	if len(lists) == 1 {
		for _, m := range list {
			p.Do(m)
			p.Undo()
		}
		return uint64(len(list))
	}
	var nodes uint64
	for _, m := range list {
		p.Do(m)
		nodes += perftLeaf(p, lists[1:])
		p.Undo()
	}
	return nodes
}
