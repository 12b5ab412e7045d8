package cotulenh_test

import (
	"slices"
	"strings"
)

// The oracle is a second implementation of the rules: a literal, slow transcription of
// the rule book. It keeps no lists, zones or tables of its own and shares no code with
// the engine. TestOracle compares the two. Numbers in brackets are sections of the rule
// book, H1 to H9 are its rulings. This file holds pieces and attacks,
// oracle_turn_test.go steps, sessions and texts, oracle_compare_test.go the comparison.

type (
	// oMember is a piece: its lower-case letter and its heroic flag.
	oMember struct {
		typ  byte
		hero bool
	}
	// oStack is what stands on a square; nil is an empty square.
	oStack struct {
		side    int // 0 red, 1 blue
		members []oMember
	}
	oracle struct {
		cells  [256]*oStack
		side   int
		half   int
		full   int
		origin int    // origin of the open session, -1 if none is open
		rest   string // types that may still deploy, in the order of the slots
		landed []int
	}
	oStep struct {
		from, to int
		members  []oMember
		flag     byte // n c s k b, as in [7]
		deploy   bool
	}
)

const oCombinations = "tc ti tm fc fi fm ft hc nc ni nm nt nf ea eg es ftc fti ftm nfc nfi nfm nft" // [5]

var oDirections = [8]int{-16, 1, 16, -1, -17, -15, 17, 15} // [2]

func onBoard(sq int) bool { return sq >= 0 && sq&15 < 11 && sq>>4 < 12 }

// oCombine returns the canonical stack of all members, nil if they do not combine [5].
func oCombine(a, b []oMember) []oMember {
	all := slices.Concat(a, b)
	if len(all) == 1 {
		return all
	}
	for _, set := range strings.Fields(oCombinations) {
		if len(set) != len(all) {
			continue
		}
		var sorted []oMember
		for _, typ := range []byte(set) {
			for _, m := range all {
				if m.typ == typ {
					sorted = append(sorted, m)
				}
			}
		}
		if len(sorted) == len(all) && distinct(all) {
			return sorted
		}
	}
	return nil
}

func distinct(list []oMember) bool {
	for i, m := range list {
		for _, n := range list[:i] {
			if m.typ == n.typ {
				return false
			}
		}
	}
	return true
}

// oMask reports whether a lead may stand on a square [3].
func oMask(lead byte, sq int) bool {
	file := sq & 15
	if lead == 'n' {
		return file <= 2 || sq == 0x53 || sq == 0x54 || sq == 0x63 || sq == 0x64
	}
	return file >= 2
}

func oBank(sq int) int { // 0 none, 1 upper, 2 lower
	switch {
	case sq&15 < 2:
		return 0
	case sq>>4 <= 5:
		return 1
	}
	return 2
}

// oTerrainBlocks reports whether terrain blocks the step onto a square [3].
func oTerrainBlocks(from, to int, lead byte, dir int) bool {
	if !oMask(lead, to) && lead != 'f' {
		return true
	}
	if strings.IndexByte("ags", lead) >= 0 {
		a, b := oBank(from), oBank(to)
		if a != 0 && b != 0 && a != b && !((dir == -16 || dir == 16) && (from&15 == 5 || to&15 == 7)) {
			return true
		}
	}
	if lead == 'n' {
		switch dir {
		case -15:
			return to == 0x63
		case 15:
			return to == 0x72
		case -17:
			return to == 0x42
		case 17:
			return to == 0x53
		}
	}
	return false
}

// oRanges returns the move range, the capture range and whether a piece has all 8
// directions [4].
func oRanges(m oMember) (move, take int, diagonal bool) {
	switch m.typ {
	case 'c':
		move, take = 11, 1
	case 'i', 'e', 'g':
		move, take = 1, 1
	case 'm':
		move, take, diagonal = 1, 1, true
	case 't':
		move, take = 2, 2
	case 's':
		move, take, diagonal = 2, 2, true
	case 'a':
		move, take, diagonal = 3, 3, true
	case 'f', 'n':
		move, take, diagonal = 4, 4, true
	}
	if m.hero {
		move, take, diagonal = move+1, take+1, true
	}
	return move, take, diagonal
}

func (o *oracle) commander(side int) int {
	for sq, s := range o.cells {
		if s != nil && s.side == side {
			for _, m := range s.members {
				if m.typ == 'c' {
					return sq
				}
			}
		}
	}
	return -1
}

// oZone is the square and the radius of an air-defense provider [9].
type oZone struct{ sq, level int }

func (z oZone) covers(sq int) bool {
	dx, dy := z.sq&15-sq&15, z.sq>>4-sq>>4
	return dx*dx+dy*dy <= z.level*z.level
}

var oLevels = map[byte]int{'s': 2, 'n': 1, 'g': 1}

func (o *oracle) zones(side int) (list []oZone) {
	for sq, s := range o.cells {
		if s == nil || s.side != side {
			continue
		}
		level := oLevels[s.members[0].typ]
		if level > 0 && s.members[0].hero {
			level++
		}
		if level > 0 {
			list = append(list, oZone{sq, level})
		}
	}
	return list
}

// oFlight is the walker of [9]: an air force that flies through enemy zones.
type oFlight struct {
	zones   []oZone
	sq, dir int
	heroic  bool
	seen    []int // squares of the providers met
	left    bool
	air     int
}

const (
	flySafe = iota
	flyKamikaze
	flyDestroyed
)

func (o *oracle) fly(them, sq, dir int, heroic bool) *oFlight {
	return &oFlight{zones: o.zones(them), sq: sq, dir: dir, heroic: heroic}
}

func (w *oFlight) next() int {
	if w.heroic || w.air == flyDestroyed {
		return w.air
	}
	w.sq += w.dir
	covered := false
	for _, z := range w.zones {
		if z.covers(w.sq) {
			covered = true
			if !slices.Contains(w.seen, z.sq) {
				w.seen = append(w.seen, z.sq)
			}
		}
	}
	w.left = w.left || !covered && len(w.seen) > 0
	switch {
	case len(w.seen) == 0:
		w.air = flySafe
	case len(w.seen) == 1 && !w.left:
		w.air = flyKamikaze
	default:
		w.air = flyDestroyed
	}
	return w.air
}

// oExposed returns the squares that a commander on e exposes for the other commander on
// u [10].
func (o *oracle) oExposed(u, e int) map[int]bool {
	set := map[int]bool{}
	if e < 0 {
		return set
	}
	vertical := 16
	if u>>4 < e>>4 {
		vertical = -16
	}
	dirs := []int{vertical}
	if u&15 < e&15 {
		dirs = append(dirs, -1)
	} else if u&15 > e&15 {
		dirs = append(dirs, 1)
	}
	for _, d := range dirs {
		for sq := e + d; onBoard(sq) && (o.cells[sq] == nil || sq == u); sq += d {
			set[sq] = true
		}
	}
	return set
}

// gen returns the steps of the ray generator [8].
func (o *oracle) gen(from int, members []oMember, deploy bool) (list []oStep) {
	us := o.cells[from].side
	lead := members[0]
	move, take, diagonal := oRanges(lead)
	exposed, enemy := map[int]bool{}, o.commander(1-us)
	if lead.typ == 'c' {
		exposed = o.oExposed(from, enemy)
	}
	add := func(to int, flag byte) {
		list = append(list, oStep{from, to, members, flag, deploy})
	}
	for i, dir := range oDirections {
		orth := i < 4
		if !orth && !diagonal {
			break
		}
		pb, tb := false, false
		var flight *oFlight
		if lead.typ == 'f' {
			flight = o.fly(1-us, from, dir, lead.hero)
		}
		for n, to := 1, from+dir; onBoard(to); n, to = n+1, to+dir {
			air := flySafe
			if lead.typ == 'c' && exposed[to] {
				break
			}
			if lead.typ == 'f' {
				if air = flight.next(); air == flyDestroyed {
					break
				}
			}
			if lead.typ == 's' && !orth && n > move-1 {
				break
			}
			if lead.typ == 'c' && n > 11 || lead.typ != 'c' && n > move && n > take {
				break
			}
			q := o.cells[to]
			tb = tb || oTerrainBlocks(from, to, lead.typ, dir)
			if q == nil {
				if n <= move && !tb && !pb && oMask(lead.typ, to) && (lead.typ != 'f' || air == flySafe) {
					if lead.typ == 'c' && orth && o.facesNext(to, dir, us) {
						continue
					}
					add(to, 'n')
				}
				continue
			}
			qLead := q.members[0].typ
			if lead.typ == 'c' && qLead == 'c' && q.side != us && orth {
				add(to, 'c')
				break
			}
			if q.side != us && n <= take {
				for _, flag := range []byte(captures(lead.typ, qLead, n, take, air, oMask(lead.typ, to), deploy)) {
					add(to, flag)
				}
			}
			if q.side == us {
				if s := oCombine(members, q.members); s != nil && n <= move && !tb && !pb && oMask(s[0].typ, to) {
					add(to, 'b')
				}
			}
			if lead.typ != 'f' && !(lead.typ == 'n' && qLead != 'n') {
				pb = true
			}
			if lead.typ == 'c' || pb && strings.IndexByte("asnf", lead.typ) < 0 {
				break
			}
		}
	}
	return list
}

// captures returns the flags of the captures of an enemy stack in range [8, rule 8b].
func captures(lead, enemy byte, n, take, air int, onMask, deploy bool) string {
	switch {
	case lead == 'c' && (enemy == 'c' || n > 1), lead == 'n' && enemy != 'n' && n > take-1:
		return ""
	case lead == 'f' && air == flyKamikaze:
		return "k"
	case !onMask:
		return "s"
	case lead == 'f' && !deploy:
		return "cs"
	}
	return "c"
}

// facesNext reports whether an enemy commander leads the first stack beyond to.
func (o *oracle) facesNext(to, dir, us int) bool {
	for sq := to + dir; onBoard(sq); sq += dir {
		if s := o.cells[sq]; s != nil {
			return s.side != us && s.members[0].typ == 'c'
		}
	}
	return false
}

type oAttacker struct {
	sq  int
	typ byte
}

// attackers returns the members of a side that attack a square [11].
func (o *oracle) attackers(target, by int) (list []oAttacker) {
	land := o.cells[target] == nil || o.cells[target].members[0].typ != 'n'
	for i, dir := range oDirections {
		blocked := false
		for n, sq := 1, target+dir; n <= 5 && onBoard(sq); n, sq = n+1, sq+dir {
			p := o.cells[sq]
			if p == nil {
				continue
			}
			for _, x := range p.members {
				_, take, diagonal := oRanges(x)
				if x.typ == 'n' && land {
					take--
				}
				if p.side != by || i >= 4 && !diagonal || n > take || blocked && strings.IndexByte("asnf", x.typ) < 0 {
					continue
				}
				if x.typ == 'f' {
					w, air := o.fly(1-by, sq, -dir, x.hero), flySafe
					for range n {
						air = w.next()
					}
					if air == flyDestroyed {
						continue
					}
				}
				list = append(list, oAttacker{sq, x.typ})
			}
			blocked = true
		}
	}
	return list
}

func (o *oracle) attacked(side int) bool {
	c := o.commander(side)
	return c < 0 || len(o.attackers(c, 1-side)) > 0
}

func (o *oracle) danger(side int) bool {
	u, e := o.commander(side), o.commander(1-side)
	return o.attacked(side) || u >= 0 && e >= 0 && o.oExposed(u, e)[u]
}
