package program

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/ask"
	"selfplay/encode"
)

func movesCommand(games encode.Catalog) *cli.Command {
	return &cli.Command{
		Name:      "moves",
		Usage:     "print the legal moves of a position as JSON, with side to move, check and result",
		UsageText: "--game NAME [flags]",
		Description: `With --batch each line of stdin is a position, as text or as {"position":"...","play":["..."]}, or
as {"board_array":[...],"side":"..."}. Each gets one line of JSON: an answer, or an error with its kind.

Examples:
selfplay moves --game chess --play e2e4 --play e7e5
selfplay moves --game cotulenh --batch < positions.txt
`,
		Flags: slices.Concat(gameFlags(games), positionFlags(), []cli.Flag{
			engineFlag(games),
			&cli.StringSliceFlag{Name: "play", Category: groupGame, Usage: "play `MOVE` first; repeat the flag for more moves"},
			&cli.BoolFlag{Name: "batch", Category: groupGame, Usage: "read positions from stdin, one per line"},
		}),
		Action: runMoves,
	}
}

func runMoves(c *cli.Context) error {
	if err := noArgs(c); err != nil {
		return err
	}
	if !c.Bool("batch") {
		return answerOne(c)
	}
	for _, flag := range []string{"position", "play"} {
		if c.IsSet(flag) {
			return usagef("flags --batch and --%s exclude each other", flag)
		}
	}
	return answerBatch(c)
}

// answerOne answers for the position of the flags.
func answerOne(c *cli.Context) error {
	game, variant, err := gameFrom(c)
	if err != nil {
		return err
	}
	var q ask.Question
	if q.Position, err = ask.ParsePosition(c.String("position")); err != nil {
		return usagef("%v", err)
	}
	q.Play = c.StringSlice("play")
	a, err := ask.NewResponder(game, variant, c.Bool("strict")).Answer(&q)
	if err != nil {
		return usagef("%v%s", err, moveSeparator(err, q.Play))
	}
	return encode.NewJSON(c.App.Writer).Encode(a)
}

// moveSeparator says how to give several moves if an error may be about two in one --play.
func moveSeparator(err error, play []string) string {
	joined := slices.ContainsFunc(play, func(text string) bool { return strings.ContainsAny(text, " ,;") })
	if refused := new(ask.MoveError); !joined || !errors.As(err, &refused) {
		return ""
	}
	return "; a --play is one move: repeat the flag for more, such as --play e2e4 --play e7e5"
}

// maxLine is the longest line of a batch in bytes.
const maxLine = 1 << 20

// kindLine is the kind of errLine; package ask has the kinds of other errors.
const kindLine = "LINE_TOO_LONG"

var errLine = fmt.Errorf("read line: longer than %d bytes", maxLine)

// answerBatch answers each line of stdin with one line of stdout, in order. A line with an
// error does not end the batch.
func answerBatch(c *cli.Context) error {
	game, variant, err := gameFrom(c)
	if err != nil {
		return err
	}
	signal.Reset() // nothing to save: let a signal end a read that blocks
	o := ask.NewResponder(game, variant, c.Bool("strict"))
	in := bufio.NewReaderSize(c.App.Reader, maxLine)
	out := bufio.NewWriterSize(c.App.Writer, 1<<16)
	answers := encode.NewJSON(out)
	for {
		line, err := readLine(in)
		if err == io.EOF {
			return out.Flush()
		}
		if err != nil && err != errLine {
			return errors.Join(fmt.Errorf("read stdin: %w", err), out.Flush())
		}
		if err := answers.Encode(reply(o, line, err)); err != nil {
			return fmt.Errorf("write answer: %w", err)
		}
		if in.Buffered() > 0 {
			continue
		}
		if err := out.Flush(); err != nil { // the caller may wait for this answer
			return fmt.Errorf("write answer: %w", err)
		}
	}
}

// readLine returns the next line without its line end, io.EOF after the last one, or
// errLine for a line that is too long, which it skips. The line is valid until the next
// call.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		for err == bufio.ErrBufferFull {
			_, err = in.ReadSlice('\n')
		}
		if err == nil || err == io.EOF {
			err = errLine
		}
		return nil, err
	}
	if err == io.EOF && len(line) > 0 {
		err = nil // the last line may lack a line end
	}
	return bytes.TrimRight(line, "\r\n"), err
}

// reply returns the answer to a line, or a refusal. err is the error of reading the line.
func reply(o *ask.Responder, line []byte, err error) any {
	var q ask.Question
	if err == nil {
		q, err = ask.ParseQuestion(line)
	}
	var a encode.Object
	if err == nil {
		a, err = o.Answer(&q)
	}
	if err != nil {
		return refuse(err)
	}
	return a
}

func refuse(err error) ask.Refusal {
	r := ask.Refuse(err)
	if errors.Is(err, errLine) {
		r.Kind = kindLine
	}
	return r
}
