package workers

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/enginetest"
)

// rules are those of testdata/adjudication.txt.
var rules = map[string]Adjudication{
	"win":        {Win: WinRule{Score: 500, Plies: 3}},
	"draw":       {Draw: DrawRule{Score: 10, Plies: 3, From: 2}},
	"none":       {},
	"played out": {Win: WinRule{Score: 500, Plies: 3}, PlayOut: engine.One},
}

// TestAdjudicationCountsConsecutivePlies. A question has the scores from the view of First, and - for
// a ply without a search.
func TestAdjudicationCountsConsecutivePlies(t *testing.T) {
	enginetest.Conversation(t, "testdata/adjudication.txt", "Datasets depend on adjudication: keep it", func(question string) string {
		name, scores, _ := strings.Cut(question, ":")
		a := rules[name]
		j := adjudicator{Adjudication: &a}
		j.begin(rand.NewPCG(1, 1))
		for ply, text := range strings.Fields(scores) {
			side, d := engine.Side(ply&1), Decision{}
			if score, err := strconv.Atoi(text); err == nil {
				d = Decision{Nodes: 1, Score: int16(score * (1 - 2*int(side)))}
			}
			if o := j.adjudicate(ply, side, &d); o != engine.Ongoing {
				return fmt.Sprintf("ply %d: %+v", ply, o)
			}
		}
		return "not adjudicated"
	})
}

func TestPlayOutIsAFractionOfTheGames(t *testing.T) {
	a := adjudicator{Adjudication: &Adjudication{Win: WinRule{500, 3}, PlayOut: 200}}
	src, n := rand.NewPCG(1, 2), 0
	for range 10_000 {
		a.begin(src)
		if a.playOut {
			n++
		}
	}
	if n < 1800 || n > 2200 {
		t.Errorf("%d of 10,000 games are played out, want about 2,000", n)
	}
}
