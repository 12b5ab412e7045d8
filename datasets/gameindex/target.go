package gameindex

import (
	"fmt"
	"strconv"
	"strings"

	"selfplay/engine"
)

// Target is what Find looks for: a position or a material.
type Target struct {
	text     string
	hash     uint64
	material *material // nil: a position
}

// String returns the text that describes the target.
func (t *Target) String() string { return t.text }

// Hash returns the Zobrist hash of a position; 0 for a material.
func (t *Target) Hash() uint64 { return t.hash }

// hashPrefix begins the text of a hash.
const hashPrefix = "hash:"

// Position returns the target of a position: its text, or hash: and the 16 hexadecimal digits of
// its hash, as HashText returns them. The hash has no clocks, so a text stands for all positions
// that differ from it in clocks only. The error of a text is an *engine.TextError.
func (ix *Index) Position(text string) (*Target, error) {
	if digits, ok := strings.CutPrefix(text, hashPrefix); ok {
		hash, err := strconv.ParseUint(digits, 16, 64)
		if err != nil || len(digits) != 16 {
			return nil, fmt.Errorf("read position %q: want %s and 16 hexadecimal digits", text, hashPrefix)
		}
		return &Target{text: text, hash: hash}, nil
	}
	pos := ix.shape.Game.New(ix.shape.Variant)
	if err := engine.Position.Set(pos, text); err != nil {
		return nil, err
	}
	return &Target{text: pos.String(), hash: pos.Hash()}, nil
}

// HashText returns a hash as Position reads it.
func HashText(hash uint64) string { return fmt.Sprintf("%s%016x", hashPrefix, hash) }
