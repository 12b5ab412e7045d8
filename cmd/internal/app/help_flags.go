package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// maxLabel is the widest flag that has its usage beside it. That of a wider one, and of
// every one on a narrow terminal, is on the next line.
const (
	maxLabel = 31
	narrow   = 72
)

// docFlag is a flag as package cli documents it; all its flags are.
type docFlag interface {
	cli.DocGenerationFlag
	cli.CategorizableFlag
}

// flags prints flags by group.
func (h *help) flags(list []cli.Flag) {
	width := 0
	byGroup := map[string][]docFlag{}
	for _, f := range list {
		d := f.(docFlag)
		group := d.GetCategory()
		if !slices.Contains(groups, group) {
			group = ungrouped
		}
		byGroup[group] = append(byGroup[group], d)
		if n := len(label(d)); n <= maxLabel {
			width = max(width, n)
		}
	}
	for _, group := range groups {
		if len(byGroup[group]) > 0 {
			h.title(group)
		}
		for _, f := range byGroup[group] {
			h.flag(f, width)
		}
	}
}

func (h *help) flag(f docFlag, width int) {
	name, text := label(f), usageText(f)
	if d := defaultOf(f); d != "" {
		text += " (default: " + d + ")"
	}
	if len(name) > width || h.width < narrow {
		h.wrap(3, 3, name)
		h.wrap(7, 7, text)
		return
	}
	h.wrap(3, 3+width+2, fmt.Sprintf("%-*s  %s", width, name, text))
}

// usageText returns the usage of a flag without the marks of its placeholder.
func usageText(f cli.Flag) string { return strings.ReplaceAll(f.(docFlag).GetUsage(), "`", "") }

// label returns a flag with the placeholder of its value: --game NAME.
func label(f docFlag) string {
	text := "--" + f.Names()[0]
	if !f.TakesValue() {
		return text
	}
	if parts := strings.SplitN(f.GetUsage(), "`", 3); len(parts) == 3 {
		return text + " " + parts[1]
	}
	switch f.(type) {
	case *cli.IntFlag, *cli.Uint64Flag, *cli.Float64Flag, *cli.GenericFlag:
		return text + " N"
	case *cli.DurationFlag:
		return text + " TIME"
	}
	return text + " VALUE"
}

// defaultOf returns the default of a flag as the help shows it, "" if it has none. Zero means
// none; the usage of the flag says what happens then.
func defaultOf(f docFlag) string {
	text := strings.Trim(f.GetDefaultText(), `"`) // package cli quotes strings
	if text == "0" || text == "0s" || text == "false" {
		return ""
	}
	return text
}
