package positions

import (
	"encoding/binary"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// searchResult is what a player found in a position.
type searchResult struct {
	over       bool // the game is over: there is nothing to find
	move, best uint16
	text       string // of move
	nodes      uint32 // 0 without a search
	score      int16
	policy     []weight
}

// weight is the weight of an action in a policy.
type weight struct{ action, weight uint16 }

// set copies the decision that a player made in a position. flips says how actions are numbered.
func (f *searchResult) set(a *encode.Actions, p engine.Position, d *workers.Decision, flips bool) {
	number := func(m engine.Move) uint16 {
		if flips {
			return a.Flip(a.Number(m))
		}
		return a.Number(m)
	}
	*f = searchResult{move: number(d.Move), text: p.FormatMove(d.Move)}
	f.best = f.move
	if d.Nodes == 0 {
		return
	}
	f.nodes, f.score, f.best = d.Nodes, d.Score, number(d.Best)
	for _, w := range d.Policy {
		f.policy = append(f.policy, weight{number(w.Move), w.Weight})
	}
}

// appendResults appends results as a frame.
func appendResults(dst []byte, list []searchResult) []byte {
	begin := len(dst)
	dst = appendHeader(dst, kindFindings, 0)
	dst = appendEnds(dst, list)
	for i := range list {
		for _, w := range list[i].policy {
			dst = binary.LittleEndian.AppendUint16(dst, w.action)
		}
	}
	for i := range list {
		for _, w := range list[i].policy {
			dst = binary.LittleEndian.AppendUint16(dst, w.weight)
		}
	}
	for i := range list {
		dst = append(append(dst, list[i].text...), '\n')
	}
	binary.LittleEndian.PutUint32(dst[begin+8:], uint32(len(dst)-begin-headerSize))
	return dst
}

// appendEnds appends the parts whose size depends only on the number of results.
func appendEnds(dst []byte, list []searchResult) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(list)))
	end := uint32(0)
	dst = binary.LittleEndian.AppendUint32(dst, end)
	for i := range list {
		end += uint32(len(list[i].policy))
		dst = binary.LittleEndian.AppendUint32(dst, end)
	}
	for i := range list {
		dst = binary.LittleEndian.AppendUint32(dst, list[i].nodes)
	}
	for i := range list {
		dst = binary.LittleEndian.AppendUint16(dst, list[i].move)
	}
	for i := range list {
		dst = binary.LittleEndian.AppendUint16(dst, list[i].best)
	}
	for i := range list {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(list[i].score))
	}
	for i := range list {
		over := byte(0)
		if list[i].over {
			over = 1
		}
		dst = append(dst, over)
	}
	return dst
}
