package program

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"
)

// The help is at most maxHelpWidth columns wide, and narrower on a narrow terminal.
const (
	maxHelpWidth = 100
	minHelpWidth = 40
)

// examplesLine begins the examples in the Description of a command. The help prints them at
// its end.
const examplesLine = "Examples:"

// printHelp prints the help of a command.
func printHelp(w io.Writer, c *cli.Command) error {
	h := &helpPrinter{width: widthOf(w)}
	h.command(c)
	_, err := io.WriteString(w, h.text.String())
	return err
}

// widthOf returns the width of the help on w.
func widthOf(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			return min(max(columns, minHelpWidth), maxHelpWidth)
		}
	}
	return maxHelpWidth
}

// helpPrinter is a help text that is being written.
type helpPrinter struct {
	text  strings.Builder
	width int
}

func (h *helpPrinter) command(c *cli.Command) {
	h.wrap(0, 0, c.HelpName+" - "+c.Usage)
	h.title("USAGE")
	h.wrap(3, 6, usageOf(c))
	about, examples, _ := strings.Cut(c.Description, examplesLine)
	about = strings.Trim(about, "\n")
	if about != "" {
		h.title("DESCRIPTION")
		h.paragraphs(about)
	}
	h.commands(c.Subcommands)
	h.flags(c.Flags)
	h.examples(c, examples)
	if !strings.Contains(c.HelpName, " ") { // the program
		fmt.Fprintf(&h.text, "\n%s COMMAND --help explains a command. Flags may come before or after arguments.\n", c.HelpName)
	}
}

// paragraphs prints a description. Lines of a paragraph are joined and wrapped again; rows
// of a table, which have two or more spaces between columns, stay.
func (h *helpPrinter) paragraphs(text string) {
	var paragraph []string
	flush := func() {
		h.wrap(3, 3, strings.Join(paragraph, " "))
		paragraph = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		column := lastColumn(line)
		if line != "" && column == 0 {
			paragraph = append(paragraph, line)
			continue
		}
		flush()
		if line == "" {
			h.text.WriteString("\n")
		}
		h.wrap(3, 3+column, line)
	}
	flush()
}

// usageOf returns the line that shows how a command is called.
func usageOf(c *cli.Command) string {
	words := "[flags]"
	switch {
	case c.UsageText != "":
		words = c.UsageText
	case len(c.Subcommands) > 0:
		words = "COMMAND [flags] [arguments]"
	case c.ArgsUsage != "":
		words += " " + c.ArgsUsage
	}
	return c.HelpName + " " + words
}

// commands prints the commands, with a title where a group of them begins.
func (h *helpPrinter) commands(list []*cli.Command) {
	width := 0
	for _, c := range list {
		width = max(width, len(c.Name))
	}
	for i, c := range list {
		if i == 0 || c.Category != list[i-1].Category {
			h.title(cmp.Or(c.Category, "COMMANDS"))
		}
		h.wrap(3, 3+width+2, fmt.Sprintf("%-*s  %s", width, c.Name, c.Usage))
	}
}

// examples prints command lines as they are, so that they can be copied. The command itself is one of this program.
func (h *helpPrinter) examples(c *cli.Command, text string) {
	text = strings.Trim(text, "\n")
	if text == "" {
		return
	}
	h.title("EXAMPLES")
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "selfplay "+c.Name+" "); ok {
			line = c.HelpName + " " + rest
		}
		h.text.WriteString(strings.TrimRight("   "+line, " ") + "\n")
	}
}

func (h *helpPrinter) title(text string) { h.text.WriteString("\n" + text + "\n") }

// wrap prints a text in lines that fit. The first line has a margin of first columns, the
// others of rest columns. Runs of spaces inside the first line stay.
func (h *helpPrinter) wrap(first, rest int, text string) {
	if rest > h.width/2 {
		rest = first + 4
	}
	room := h.width - first
	line := strings.Repeat(" ", first)
	for text = strings.TrimSpace(text); len([]rune(text)) > room; room = h.width - rest {
		head := string([]rune(text)[:room+1])
		cut := strings.LastIndexByte(head, ' ')
		if cut <= 0 { // a word longer than the line
			cut = strings.IndexByte(text+" ", ' ')
		}
		h.text.WriteString(strings.TrimRight(line+text[:cut], " ") + "\n")
		line, text = strings.Repeat(" ", rest), strings.TrimSpace(text[cut:])
	}
	if text != "" {
		h.text.WriteString(line + text + "\n")
	}
}

// lastColumn returns where the last column of a table row begins: after the last run of two
// or more spaces.
func lastColumn(line string) int {
	i := strings.LastIndex(line, "  ")
	if i >= 0 {
		return len([]rune(line[:i])) + 2
	}
	return 0
}

// maxFlagLabel is the widest flag that has its usage beside it. That of a wider one, and of
// every one on a narrow terminal, is on the next line.
const (
	maxFlagLabel = 31
	narrowHelp   = 72
)

// docFlag is a flag as package cli documents it; all its flags are.
type docFlag interface {
	cli.DocGenerationFlag
	cli.CategorizableFlag
}

// flags prints flags by group.
func (h *helpPrinter) flags(list []cli.Flag) {
	width := 0
	byGroup := map[string][]docFlag{}
	for _, f := range list {
		d := f.(docFlag)
		group := d.GetCategory()
		if !slices.Contains(flagGroups, group) {
			group = groupNone
		}
		byGroup[group] = append(byGroup[group], d)
		n := len(flagLabel(d))
		if n <= maxFlagLabel {
			width = max(width, n)
		}
	}
	for _, group := range flagGroups {
		if len(byGroup[group]) > 0 {
			h.title(group)
		}
		for _, f := range byGroup[group] {
			h.flag(f, width)
		}
	}
}

func (h *helpPrinter) flag(f docFlag, width int) {
	name, text := flagLabel(f), usageText(f)
	d := defaultOf(f)
	if d != "" {
		text += " (default: " + d + ")"
	}
	if len(name) > width || h.width < narrowHelp {
		h.wrap(3, 3, name)
		h.wrap(7, 7, text)
		return
	}
	h.wrap(3, 3+width+2, fmt.Sprintf("%-*s  %s", width, name, text))
}

// usageText returns the usage of a flag without the marks of its placeholder.
func usageText(f cli.Flag) string { return strings.ReplaceAll(f.(docFlag).GetUsage(), "`", "") }

// flagLabel returns a flag with the placeholder of its value: --game NAME.
func flagLabel(f docFlag) string {
	text := "--" + f.Names()[0]
	if !f.TakesValue() {
		return text
	}
	parts := strings.SplitN(f.GetUsage(), "`", 3)
	if len(parts) == 3 {
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
