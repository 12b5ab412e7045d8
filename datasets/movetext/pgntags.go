package movetext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"selfplay/datasets/gamerow"
	"selfplay/encode"
	"selfplay/engine"
)

// pgnTags are the tags that records keep, as PGN names them, in the order of gamerow.TagColumns.
var pgnTags = []string{"Event", "Site", "Date", "Round", "ECO", "WhiteElo", "BlackElo", "TimeControl", "Termination"}

// sideNames are the names of the sides in tags: White and Black in chess.
type sideNames struct{ first, second string }

func namesOf(g encode.Game) sideNames {
	title := func(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
	return sideNames{title(g.Sides[engine.First]), title(g.Sides[engine.Second])}
}

// tag returns the name that a tag of chess has in the game: RedElo for WhiteElo.
func (n sideNames) tag(name string) string {
	side, rest := n.first, strings.TrimPrefix(name, "White")
	if rest == name {
		side, rest = n.second, strings.TrimPrefix(name, "Black")
	}
	if rest == name {
		return name
	}
	return side + rest
}

// maxTag is the largest number of bytes of a tag or a name in a record. A longer one is cut.
const maxTag = 200

// keepTags sets the tags of a record.
func (p *pgnParser) keepTags(r *engine.Record) {
	if len(p.tags["Date"]) == 0 {
		p.tags["Date"] = p.tags["UTCDate"]
	}
	addTags(r, func(i int) []byte { return p.tags[p.names.tag(pgnTags[i])] })
}

// addTags adds tags to a record, none if all are unknown. value returns that of a tag as a file has it.
func addTags(r *engine.Record, value func(tag int) []byte) {
	known := false
	for i, c := range gamerow.TagColumns() {
		text := plainTag(value(i))
		switch {
		case c.Name == gamerow.DateTag:
			text = dateOf(text)
		case gamerow.IsNumber(c):
			text = ratingOf(text)
		}
		r.Tags = append(r.Tags, text)
		known = known || text != ""
	}
	if !known {
		r.Tags = r.Tags[:0]
	}
}

// plainTag returns the value of a tag as printable text, "" if it is unknown.
func plainTag(value []byte) string {
	text := printable(strings.TrimSpace(plainName(value)))
	if text == "?" || text == "-" {
		return ""
	}
	return text
}

// printable returns the characters of a text that are printed, at most maxTag bytes.
func printable(text string) string {
	var b strings.Builder
	for _, c := range text {
		if unicode.IsPrint(c) && b.Len()+utf8.RuneLen(c) <= maxTag {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// dateOf returns a date such as 1851.06.?? in the form of ISO 8601 as far as it is known and exists, such as 1851-06; "" if
// it has not even a year.
func dateOf(text string) string {
	parts := strings.FieldsFunc(text, func(c rune) bool { return c == '.' || c == '-' || c == '/' })
	var known []string
	for i, size := range []int{4, 2, 2} {
		if i == len(parts) || len(parts[i]) != size || strings.Trim(parts[i], "0123456789") != "" || strings.Trim(parts[i], "0") == "" {
			break
		}
		if known = append(known, parts[i]); !isDate(known) {
			known = known[:i]
			break
		}
	}
	return strings.Join(known, "-")
}

// isDate reports whether a year with a month and a day, as far as they are given, exists.
func isDate(parts []string) bool {
	numbers := [3]int{0, 1, 1}
	for i, text := range parts {
		numbers[i], _ = strconv.Atoi(text)
	}
	year, month, day := numbers[0], numbers[1], numbers[2]
	if month > 12 {
		return false
	}
	days := [13]int{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		days[2] = 29
	}
	return day <= days[month]
}

// ratingOf returns the digits of a rating, "" if it is unknown.
func ratingOf(text string) string {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return ""
	}
	return strconv.FormatUint(n, 10)
}

// tagOf returns the value of a tag of a record as PGN has it, other if the record does not know it.
func tagOf(r *engine.Record, name, other string) string {
	for i, known := range pgnTags {
		switch {
		case known != name || i >= len(r.Tags) || r.Tags[i] == "":
			continue
		case name == "Date":
			return strings.ReplaceAll(r.Tags[i], "-", ".") + ".??.??"[:len("1851.06.21")-len(r.Tags[i])]
		}
		return r.Tags[i]
	}
	return other
}
