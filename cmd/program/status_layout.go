package program

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

const (
	keyWidth = 10 // columns of the names on the left
	minWidth = 30 // columns that the text needs
)

// wrapped breaks a value between words, so that key and value fit in width columns. A word
// that is longer than a line is cut.
func wrapped(key, value string, width int) (lines []string) {
	room, line := width-keyWidth, ""
	for _, word := range strings.Fields(value) {
		word = cut(word, room)
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > room {
			lines, line = append(lines, fmt.Sprintf("%-*s%s", keyWidth, key, line)), ""
			key = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, strings.TrimRight(fmt.Sprintf("%-*s%s", keyWidth, key, line), " "))
}

// cut shortens a text to width columns.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// aligned returns the lines of a table, each cut to width columns.
func aligned(rows [][]string, width int) []string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	t.Flush()
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for i, line := range lines {
		lines[i] = cut(strings.TrimRight(line, " "), width)
	}
	return lines
}
