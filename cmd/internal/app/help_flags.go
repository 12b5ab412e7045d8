package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

// maxLabel is the widest flag that has its usage beside it. That of a wider one, and of
// every one on a narrow terminal, is on the next line.
const (
	maxLabel = 31
	narrow   = 72
)

// flags prints flags by group.
func (h *help) flags(list []cli.Flag) {
	width := 0
	for _, f := range list {
		if n := len(label(f)); n <= maxLabel {
			width = max(width, n)
		}
	}
	for _, group := range groups {
		first := true
		for _, f := range list {
			d, ok := f.(docFlag)
			if !ok || !d.IsVisible() || groupOf(d) != group {
				continue
			}
			if first {
				h.title(groupTitle(group))
				first = false
			}
			h.flag(d, width)
		}
	}
}

// docFlag is a flag as package cli documents it; all its flags are.
type docFlag interface {
	cli.DocGenerationFlag
	cli.VisibleFlag
	cli.CategorizableFlag
}

// groupOf returns the group of a flag, "" if it has none of those that the help knows.
func groupOf(f docFlag) string {
	if g := f.GetCategory(); slices.Contains(groups, g) {
		return g
	}
	return ""
}

func groupTitle(group string) string {
	if group == "" {
		return "FLAGS"
	}
	return group
}

func (h *help) flag(f docFlag, width int) {
	text := strings.ReplaceAll(f.GetUsage(), "`", "")
	if d := defaultOf(f); d != "" {
		text += " (default: " + d + ")"
	}
	name := label(f)
	if len(name) > width || h.width < narrow {
		h.wrap(3, 3, name)
		h.wrap(7, 7, text)
		return
	}
	h.wrap(3, 3+width+2, fmt.Sprintf("%-*s  %s", width, name, text))
}

// label returns a flag with the placeholder of its value: --game NAME.
func label(f cli.Flag) string {
	text := "--" + f.Names()[0]
	d, ok := f.(cli.DocGenerationFlag)
	if !ok || !d.TakesValue() {
		return text
	}
	if _, rest, ok := strings.Cut(d.GetUsage(), "`"); ok {
		placeholder, _, _ := strings.Cut(rest, "`")
		return text + " " + placeholder
	}
	switch f.(type) {
	case *cli.IntFlag, *cli.Uint64Flag, *cli.Float64Flag, *cli.GenericFlag:
		return text + " N"
	case *cli.DurationFlag:
		return text + " TIME"
	}
	return text + " VALUE"
}

// defaultOf returns the default of a flag as the help shows it, "" if it has none. The
// number 0 means none; the usage of the flag says what happens then.
func defaultOf(f docFlag) string {
	switch f := f.(type) {
	case *cli.StringFlag:
		return firstText(f.DefaultText, nonzero(f.Value))
	case *cli.IntFlag:
		return firstText(f.DefaultText, nonzero(strconv.Itoa(f.Value)))
	case *cli.Uint64Flag:
		return firstText(f.DefaultText, nonzero(strconv.FormatUint(f.Value, 10)))
	case *cli.Float64Flag:
		return firstText(f.DefaultText, nonzero(strconv.FormatFloat(f.Value, 'g', -1, 64)))
	case *cli.DurationFlag:
		return firstText(f.DefaultText, shortTime(f.Value))
	case *cli.GenericFlag:
		return firstText(f.DefaultText, nonzero(f.Value.String()))
	}
	return ""
}

func firstText(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func nonzero(text string) string {
	if text == "0" {
		return ""
	}
	return text
}

func shortTime(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}
