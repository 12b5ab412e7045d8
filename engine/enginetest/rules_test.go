package enginetest

import "testing"

var nimRules = Rules{Game: nimGame(), Path: "testdata/rules.txt"}

func TestRulesOfNim(t *testing.T) { nimRules.Run(t) }

// TestWrongAnswersAreDetected asks each case with another answer, and with a query that no game
// knows.
func TestWrongAnswersAreDetected(t *testing.T) {
	for _, c := range nimRules.read(t) {
		right := c.Field("want")
		if c.fields["want"] = right + "?"; nimRules.check(c, "") == nil {
			t.Errorf("line %d accepts any answer", c.line)
		}
		c.fields["want"] = right
		if c.query += "?"; nimRules.check(c, "") == nil {
			t.Errorf("line %d accepts any query", c.line)
		}
	}
}
