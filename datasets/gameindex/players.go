package gameindex

// pair is a pair of names of players, as indexes of names. The first moves first.
type pair [2]uint32

// players numbers pairs of players. Numbers are given in order and never change, so the slices
// only grow: a state keeps the ones of its time.
type players struct {
	names []string
	pairs []pair
}

// pair returns the names of a pair.
func (p *players) pair(id uint32) [2]string {
	of := p.pairs[id]
	return [2]string{p.names[of[0]], p.names[of[1]]}
}

// numbering gives numbers to pairs. One goroutine owns it.
type numbering struct {
	players
	name map[string]uint32
	id   map[pair]uint32
}

func newNumbering(p players) *numbering {
	n := &numbering{players: p, name: make(map[string]uint32, len(p.names)), id: make(map[pair]uint32, len(p.pairs))}
	for i, name := range p.names {
		n.name[name] = uint32(i)
	}
	for i, of := range p.pairs {
		n.id[of] = uint32(i)
	}
	return n
}

// number returns the number of a pair of names. It copies new ones.
func (n *numbering) number(first, second []byte) uint32 {
	of := pair{n.nameID(first), n.nameID(second)}
	id, found := n.id[of]
	if !found {
		id = uint32(len(n.pairs))
		n.pairs = append(n.pairs, of)
		n.id[of] = id
	}
	return id
}

func (n *numbering) nameID(name []byte) uint32 {
	id, found := n.name[string(name)]
	if !found {
		id = uint32(len(n.names))
		n.names = append(n.names, string(name))
		n.name[n.names[id]] = id
	}
	return id
}

// adopt returns the numbers here of the pairs of another numbering.
func (n *numbering) adopt(p *players) []uint32 {
	ids := make([]uint32, len(p.pairs))
	for i, of := range p.pairs {
		ids[i] = n.number([]byte(p.names[of[0]]), []byte(p.names[of[1]]))
	}
	return ids
}
