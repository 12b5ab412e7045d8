package cotulenh_test

import (
	"testing"

	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// TestRules asks the cases of testdata/rules.txt.
func TestRules(t *testing.T) {
	enginetest.Rules{Game: cotulenh.Game(), Path: "testdata/rules.txt"}.Run(t)
}

// TestHashIncludesSession: the hash includes the session: the members still to deploy and the landing squares.
func TestHashIncludesSession(t *testing.T) {
	seen := map[uint64]string{}
	for _, text := range []string{
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1 c3:(NT):-",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1 c3:(NT):e5",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1 c3:N:-",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1 c3:T:-",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 b - - 0 1",
	} {
		h := at(t, text).Hash()
		if other, ok := seen[h]; ok {
			t.Errorf("hash %016x belongs to %s and to %s", h, other, text)
		}
		seen[h] = text
	}
}
