package export

import (
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"

	"selfplay/engine"
)

// Plans tell most datasets with games in common: see sameGames. But a plan of joined or imported games does not
// say where all of them come from: rows, dedup and rescore change plans, and one file can be imported in two forms. So
// the games of such datasets are compared.

// sharedLimit is the part of the games of the smaller dataset, one in so many, from which on two datasets count as
// having games in common. A few short games may be alike by chance.
const sharedLimit = 5

// mayShareGames reports whether plans do not tell whether two datasets have games in common.
func mayShareGames(a, b *part) bool {
	p, q := a.set.Plan(), b.set.Plan()
	return isDerived(p) || isDerived(q) || len(p.Imported()) > 0 && len(q.Imported()) > 0
}

// sharedGames returns how many games of the smaller of two datasets the larger one has, too, without repetitions.
func sharedGames(a, b *part) (common, of int, err error) {
	x, err := a.gameHashes()
	if err != nil {
		return 0, 0, err
	}
	y, err := b.gameHashes()
	if err != nil {
		return 0, 0, err
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	for _, hash := range x {
		if _, found := slices.BinarySearch(y, hash); found {
			common++
		}
	}
	return common, len(x), nil
}

// gameHashes returns hashes of start and moves of all distinct games, in ascending order. It reads the games once.
func (p *part) gameHashes() (hashes []uint64, err error) {
	if p.hashes != nil {
		return p.hashes, nil
	}
	var text []byte
	for _, parts := range p.parts {
		for _, of := range parts {
			for r, err := range p.set.Games(of) {
				if err != nil {
					return nil, err
				}
				text = appendGame(text[:0], r)
				hashes = append(hashes, xxh3.Hash(text))
			}
		}
	}
	slices.Sort(hashes)
	p.hashes = slices.Compact(hashes)
	return p.hashes, nil
}

// appendGame appends what two equal games have in common.
func appendGame(dst []byte, r *engine.Record) []byte {
	for _, a := range r.Actions {
		dst = binary.LittleEndian.AppendUint16(dst, a)
	}
	return append(dst, r.Start...)
}
