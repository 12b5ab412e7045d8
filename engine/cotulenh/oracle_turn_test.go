package cotulenh_test

import (
	"fmt"
	"slices"
	"strings"
)

// This file holds steps, promotions, sessions and texts of the oracle.

func (o *oracle) clone() *oracle {
	c := *o
	c.landed = slices.Clone(o.landed)
	return &c
}

func (o *oracle) remove(sq int, members []oMember) {
	s := o.cells[sq]
	var left []oMember
	for _, m := range s.members {
		if !slices.ContainsFunc(members, func(x oMember) bool { return x.typ == m.typ }) {
			left = append(left, m)
		}
	}
	if len(left) == 0 {
		o.cells[sq] = nil
	} else {
		o.cells[sq] = &oStack{s.side, oCombine(left, nil)}
	}
}

// apply executes a step and its promotions [12, 13]. It does not end the turn.
func (o *oracle) apply(s oStep) {
	us := o.side
	if o.origin < 0 {
		o.half++
	}
	if strings.IndexByte("csk", s.flag) >= 0 {
		o.half = 0
	}
	if s.deploy {
		if o.origin < 0 {
			o.origin, o.rest = s.from, ""
			for _, m := range o.cells[s.from].members {
				o.rest += string(m.typ)
			}
		}
		o.rest = strings.Replace(o.rest, string(s.members[0].typ), "", 1)
		if s.flag != 's' && s.flag != 'k' && !slices.Contains(o.landed, s.to) {
			o.landed = append(o.landed, s.to)
		}
	}
	switch s.flag {
	case 'n', 'c':
		o.remove(s.from, s.members)
		o.cells[s.to] = &oStack{us, s.members}
	case 'b':
		sum := oCombine(s.members, o.cells[s.to].members)
		o.remove(s.from, s.members)
		o.cells[s.to] = &oStack{us, sum}
	case 's':
		o.cells[s.to] = nil
	case 'k':
		o.remove(s.from, s.members)
		o.cells[s.to] = nil
	}
	o.promote(us)
}

func (o *oracle) promote(us int) {
	if c := o.commander(1 - us); c >= 0 {
		for _, a := range o.attackers(c, us) {
			o.promoteMember(a.sq, a.typ)
		}
	}
	for side := range 2 {
		guards, last := 0, 0
		for sq, s := range o.cells {
			if s != nil && s.side == side && s.members[0].typ != 'c' {
				guards, last = guards+1, sq
			}
		}
		if guards == 1 && len(o.cells[last].members) == 1 {
			o.promoteMember(last, o.cells[last].members[0].typ)
		}
	}
}

func (o *oracle) promoteMember(sq int, typ byte) {
	s := o.cells[sq]
	members := slices.Clone(s.members)
	for i := range members {
		members[i].hero = members[i].hero || members[i].typ == typ
	}
	o.cells[sq] = &oStack{s.side, members}
}

// pseudo returns the pseudo-legal steps [7], in a session those of H3.
func (o *oracle) pseudo() (list []oStep) {
	if o.origin >= 0 {
		return o.sessionPseudo()
	}
	for sq, s := range o.cells {
		if s == nil || s.side != o.side {
			continue
		}
		if len(s.members) > 1 {
			for _, m := range s.members {
				list = append(list, o.gen(sq, []oMember{m}, true)...)
			}
		}
		list = append(list, o.gen(sq, s.members, false)...)
	}
	return list
}

func (o *oracle) sessionPseudo() (list []oStep) {
	for _, typ := range []byte(o.rest) {
		m := o.member(typ)
		list = append(list, o.gen(o.origin, m, true)...)
		for _, q := range o.landed {
			sum := oCombine(o.cells[q].members, m)
			join := oStep{o.origin, q, m, 'b', true}
			if sum == nil || sum[0].typ != o.cells[q].members[0].typ || !oMask(sum[0].typ, q) {
				continue
			}
			if !slices.ContainsFunc(list, func(s oStep) bool { return s.id() == join.id() }) {
				list = append(list, join)
			}
		}
	}
	return list
}

func (o *oracle) member(typ byte) []oMember {
	for _, m := range o.cells[o.origin].members {
		if m.typ == typ {
			return []oMember{m}
		}
	}
	panic("oracle: member " + string(typ) + " is not on the origin")
}

func (o *oracle) canCommit() bool {
	s := o.cells[o.origin]
	fits := s == nil || oMask(s.members[0].typ, o.origin)
	return fits && (o.commander(o.side) < 0 || !o.danger(o.side))
}

// canEnd reports whether some continuation of the session, possibly empty, can commit
// (H6).
func (o *oracle) canEnd() bool {
	if o.canCommit() {
		return true
	}
	for _, s := range o.pseudo() {
		c := o.clone()
		if c.apply(s); c.canEnd() {
			return true
		}
	}
	return false
}

// legal returns the legal steps except commit [14, H5, H6].
func (o *oracle) legal() (list []oStep) {
	if o.commander(o.side) < 0 && o.origin < 0 {
		return nil
	}
	for _, s := range o.pseudo() {
		c := o.clone()
		c.apply(s)
		withCommander := slices.ContainsFunc(o.cells[s.from].members, func(m oMember) bool { return m.typ == 'c' })
		if o.origin < 0 && !(s.deploy && withCommander) && c.danger(o.side) {
			continue
		}
		if !s.deploy || c.canEnd() {
			list = append(list, s)
		}
	}
	return list
}

// play executes a legal step and the automatic commit after it (H5).
func (o *oracle) play(s oStep) {
	o.apply(s)
	if !s.deploy || o.rest == "" || len(o.legal()) == 0 {
		o.commit()
	}
}

func (o *oracle) commit() {
	o.origin, o.rest, o.landed = -1, "", nil
	o.full += o.side
	o.side = 1 - o.side
}

// steps returns the ids of all legal steps, commit included, sorted.
func (o *oracle) steps() (ids []string) {
	for _, s := range o.legal() {
		ids = append(ids, s.id())
	}
	if o.origin >= 0 && o.canCommit() {
		ids = append(ids, "commit")
	}
	slices.Sort(ids)
	return ids
}

func oName(sq int) string { return fmt.Sprintf("%c%d", 'a'+sq&15, 12-sq>>4) }

func oText(members []oMember) string {
	text := ""
	for _, m := range members {
		if m.hero {
			text += "+"
		}
		text += string(m.typ)
	}
	if len(members) > 1 {
		text = "(" + text + ")"
	}
	return text
}

func (s oStep) id() string {
	id := strings.ToUpper(oText(s.members)) + oName(s.from)
	if s.deploy {
		id += ">"
	}
	return id + map[byte]string{'n': "", 'c': "x", 's': "_", 'k': "@", 'b': "&"}[s.flag] + oName(s.to)
}

// String returns the text of the position (H9).
func (o *oracle) String() string {
	var rows []string
	for rank := range 12 {
		row, empty := "", 0
		for file := range 11 {
			s := o.cells[rank*16+file]
			if s == nil {
				empty++
				continue
			}
			if empty > 0 {
				row += fmt.Sprint(empty)
			}
			empty = 0
			if s.side == 0 {
				row += strings.ToUpper(oText(s.members))
			} else {
				row += oText(s.members)
			}
		}
		if empty > 0 {
			row += fmt.Sprint(empty)
		}
		rows = append(rows, row)
	}
	text := fmt.Sprintf("%s %c - - %d %d", strings.Join(rows, "/"), "rb"[o.side], o.half, o.full)
	if o.origin < 0 {
		return text
	}
	var rest []oMember
	for _, typ := range []byte(o.rest) {
		rest = append(rest, o.member(typ)...)
	}
	landed := "-"
	if len(o.landed) > 0 {
		var names []string
		for _, sq := range o.landed {
			names = append(names, oName(sq))
		}
		landed = strings.Join(names, ",")
	}
	return fmt.Sprintf("%s %s:%s:%s", text, oName(o.origin), strings.ToUpper(oText(oCombine(rest, nil))), landed)
}
