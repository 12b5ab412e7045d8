// Package typo suggests the word that was meant where one is unknown.
package typo

import (
	"fmt"
	"strings"

	"github.com/xrash/smetrics"
)

// maxTypos is the largest edit distance of a suggestion.
const maxTypos = 2

// DidYouMean returns a suggestion for a mistyped word, as in `, did you mean "verify"?`, or "".
// It suggests the word with the smallest edit distance, regardless of case, unless all are
// farther away than maxTypos or half of what was typed.
func DidYouMean(typed string, words []string, format string) string {
	best, least := "", min(maxTypos, len(typed)/2)+1
	for _, w := range words {
		if d := smetrics.WagnerFischer(strings.ToLower(typed), strings.ToLower(w), 1, 1, 1); d < least {
			best, least = w, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean "+format+"?", best)
}
