package encode

import (
	"slices"
	"strings"
	"unicode"
)

// Functions that flip the parts of position texts, for all games.

// flipRows reverses the rows of a board that are separated by slashes, and exchanges the
// sides, which are upper and lower case.
func flipRows(board string) string {
	rows := strings.Split(board, "/")
	slices.Reverse(rows)
	return swapCase(strings.Join(rows, "/"))
}

func swapCase(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

// flipSquares reverses the ranks of a comma-separated list of cell names. Other words
// stay.
func flipSquares(list string, g Grid) string {
	names, reversed := strings.Split(list, ","), g.ReversedRows()
	for i, name := range names {
		if cell, ok := g.Cell(name); ok {
			names[i] = g.Name(int(reversed[cell]))
		}
	}
	return strings.Join(names, ",")
}

// otherWord returns the other one of two words.
func otherWord(word, first, second string) string {
	if word == first {
		return second
	}
	return first
}
