package bitboard

import "selfplay/engine/cotulenh"

// The random player draws a number below the number of candidate steps and needs the
// target with that number. Each kind and square has a run of targets in the order of the
// rays: an entry is direction<<4 + distance. Equal runs are stored once.

// span locates the targets of a kind on a square: runs[first:][:count].
type span struct {
	first uint16
	count uint8
	// wholeCandidates is the number of candidate steps of a whole stack with this lead:
	// one per target, but two for an air force, which may capture and stay.
	wholeCandidates uint8
}

var (
	runs  [1 << 16]uint8
	spans [32][256]span
)

func buildRuns() {
	used, stored := 0, map[string]int{}
	for kind := range uint8(numKinds) {
		for _, sq := range squares {
			run := runOf(kind, sq)
			first, found := stored[string(run)]
			if !found {
				first = used
				stored[string(run)] = first
				used += copy(runs[used:], run)
			}
			s := span{uint16(first), uint8(len(run)), uint8(len(run))}
			if kind>>1 == uint8(cotulenh.AirForce) {
				s.wholeCandidates *= 2
			}
			spans[kind][sq] = s
		}
	}
}

// runOf lists the squares that a kind of piece could move to, join or capture on.
func runOf(kind, from uint8) (run []byte) {
	for d := range directions {
		_, capture := rangeOf(kind, d)
		most := capture
		if kind>>1 == uint8(cotulenh.Commander) {
			if d < 4 || kind&1 == 1 {
				most = max(capture, int(commanderLimits[from][d]))
			}
		} else if move, _ := rangeOf(kind, d); move > most {
			most = move
		}
		for n := 1; n <= min(most, int(edges[from][d])); n++ {
			run = append(run, byte(d<<4+n))
		}
	}
	return run
}

// candidatesOf returns the number of candidate steps of a stack on a square: one per target
// of each member that could deploy, and those of the whole stack.
func candidatesOf(f *stackFacts, sq uint8) uint8 {
	n := spans[f.kinds[0]&31][sq].wholeCandidates
	if f.size > 1 {
		n += spans[f.kinds[0]&31][sq].count + spans[f.kinds[1]&31][sq].count
		if f.size > 2 {
			n += spans[f.kinds[2]&31][sq].count
		}
	}
	return n
}
