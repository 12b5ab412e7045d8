package enginetest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
)

var (
	oraclePositions = flag.Int("oracle", 0, "number of random positions that TestOracle compares; 0 means the default of the game")
	oracleSeed      = flag.Uint64("oracle-seed", 1, "seed of the random positions")
)

// CompareWithOracle runs the parts of TestOracle, a comparison of a game with a second, slow
// implementation on n random positions. Each part compares some of them, in a parallel subtest
// with a source of its own. A short run compares a tenth.
func CompareWithOracle(t *testing.T, n int, part func(d *Differences, r *rand.Rand, positions int)) {
	const parts = 8
	if *oraclePositions > 0 {
		n = *oraclePositions
	}
	if testing.Short() {
		n /= 10
	}
	t.Run("positions", func(t *testing.T) {
		for i := range uint64(parts) {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				d := &Differences{T: t}
				part(d, rand.New(rand.NewPCG(*oracleSeed, i)), n/parts)
				d.Report(n / parts)
			})
		}
	})
}
