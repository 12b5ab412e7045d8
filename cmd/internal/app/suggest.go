package app

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
	"github.com/xrash/smetrics"
)

// maxTypos is the largest edit distance of a suggestion.
const maxTypos = 2

// didYouMean returns a suggestion for a mistyped word, as in `, did you mean "verify"?`,
// or "" if no word is close.
func didYouMean(typed string, words []string) string {
	if best := closest(typed, words); best != "" {
		return fmt.Sprintf(", did you mean %q?", best)
	}
	return ""
}

// suggestFlag is didYouMean for a flag of the command.
func suggestFlag(c *cli.Context, typed string) string {
	var list []string
	for _, f := range c.Command.Flags {
		list = append(list, f.Names()...)
	}
	if best := closest(typed, list); best != "" {
		return ", did you mean --" + best + "?"
	}
	return ""
}

// closest returns the word with the smallest edit distance from typed, regardless of case,
// or "" if all are farther away than maxTypos or half of what was typed.
func closest(typed string, words []string) (best string) {
	typed = strings.ToLower(typed)
	least := min(maxTypos, len(typed)/2) + 1
	for _, w := range words {
		if d := smetrics.WagnerFischer(typed, strings.ToLower(w), 1, 1, 1); d < least {
			best, least = w, d
		}
	}
	return best
}
