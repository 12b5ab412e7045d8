package gameindex

import (
	"fmt"
	"strconv"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
)

// Target is what Find looks for: a position or a material.
type Target struct {
	hash     uint64
	material *encode.Material // nil: a position
}

// hashPrefix begins the text of a hash.
const hashPrefix = "hash:"

// Position returns the target of a position: its text, or hash: and the 16 hexadecimal digits of
// its Zobrist hash. The hash has no clocks, so a text stands for all positions
// that differ from it in clocks only. The error of a text is an *engine.TextError.
func (ix *Index) Position(text string) (*Target, error) {
	if digits, ok := strings.CutPrefix(text, hashPrefix); ok {
		hash, err := strconv.ParseUint(digits, 16, 64)
		if err != nil || len(digits) != 16 {
			return nil, fmt.Errorf("read position %q: want %s and 16 hexadecimal digits", text, hashPrefix)
		}
		return &Target{hash: hash}, nil
	}
	pos := ix.shape.Game.New(ix.shape.Variant)
	if err := engine.Position.Set(pos, text); err != nil {
		return nil, err
	}
	return &Target{hash: pos.Hash()}, nil
}

// Material returns the target of a material; see encode.Game.ParseMaterial.
func (ix *Index) Material(text string) (*Target, error) {
	m, err := ix.shape.Game.ParseMaterial(text)
	if err != nil {
		return nil, err
	}
	return &Target{material: m}, nil
}
