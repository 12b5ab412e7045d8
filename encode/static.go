package encode

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"

	"selfplay/engine"
)

// Positions of the fingerprint of a static score, beside the samples of the game: those of random games.
// Plans depend on them.
const (
	staticSeed  = 2026
	staticGames = 4
	staticPlies = 300
)

// StaticFingerprint returns the SHA-256, in hexadecimal, of the static scores of fixed positions of a variant, "" for a
// game without a static score. Plans hold it, because what players choose depends on the scores. It is a check that the
// scores are the same, not a proof.
func (g *Game) StaticFingerprint(variant string) string {
	pos, ok := g.New(variant).(engine.Evaluator)
	if !ok {
		return ""
	}
	var scores []byte
	add := func() (ongoing bool) {
		if ongoing = pos.Outcome() == engine.Ongoing; ongoing {
			scores = binary.LittleEndian.AppendUint16(scores, uint16(pos.Evaluate()))
		}
		return ongoing
	}
	for _, text := range g.Samples {
		if pos.Set(text) == nil { // a variant may refuse a sample
			add()
		}
	}
	for i := range uint64(staticGames) {
		pos.Reset()
		src := rand.NewPCG(staticSeed, i)
		for n := 0; n < staticPlies && add(); n++ {
			pos.DoRandom(src)
		}
	}
	sum := sha256.Sum256(scores)
	return hex.EncodeToString(sum[:])
}
