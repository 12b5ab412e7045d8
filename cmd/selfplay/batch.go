package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/signal"

	"github.com/urfave/cli/v2"

	"selfplay/encode"
	"selfplay/engine"
)

// maxLine is the longest line of a batch, in bytes.
const maxLine = 1 << 20

// Kinds of refusal that are not a position's own. Programs test them.
const (
	kindMove = "MOVE_ILLEGAL"
	kindJSON = "JSON_INVALID"
	kindLine = "LINE_TOO_LONG"
	kindElse = "UNKNOWN" // nothing that should come up
)

var errLine = fmt.Errorf("read line: longer than %d bytes", maxLine)

// refusal is what a bad line is answered with.
type refusal struct {
	Error  string `json:"error"`
	Kind   string `json:"kind"`
	Rank   int    `json:"rank,omitempty"`
	Column int    `json:"column,omitempty"`
}

// answerBatch answers every line of stdin with one line, in order. A line that
// cannot be answered does not end the batch.
func answerBatch(c *cli.Context) error {
	game, variant, err := chosenGame(c)
	if err != nil {
		return err
	}
	signal.Reset() // there is nothing to save: a signal that is not ignored may end a read that waits
	o := newOracle(game, variant, c.Bool("strict"))
	in := bufio.NewReaderSize(c.App.Reader, maxLine)
	out := bufio.NewWriterSize(c.App.Writer, 1<<16)
	lines := encode.NewJSON(out)
	for {
		line, err := readLine(in)
		if err == io.EOF {
			return out.Flush()
		}
		if err != nil && err != errLine {
			return errors.Join(fmt.Errorf("read stdin: %w", err), out.Flush())
		}
		if err := lines.Encode(reply(o, line, err)); err != nil {
			return fmt.Errorf("write answer: %w", err)
		}
		if in.Buffered() > 0 {
			continue
		}
		if err := out.Flush(); err != nil { // whoever asks line by line waits for it
			return fmt.Errorf("write answer: %w", err)
		}
	}
}

// readLine returns the next line without its end, io.EOF after the last one, or
// errLine for one that is too long, which is skipped. The line is good until
// the next call.
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
		err = nil // the last line needs no end
	}
	return bytes.TrimRight(line, "\r\n"), err
}

// reply returns the answer to a line, or the refusal.
func reply(o *oracle, line []byte, err error) any {
	var q question
	if err == nil {
		q, err = parseQuestion(line)
	}
	var a encode.Object
	if err == nil {
		a, err = o.answer(&q)
	}
	if err != nil {
		return refuse(err)
	}
	return a
}

// parseQuestion reads an object, or the bare text of a position; the texts of
// positions do not begin with a brace.
func parseQuestion(line []byte) (q question, err error) {
	if !bytes.HasPrefix(line, []byte("{")) {
		q.Position = string(line)
		return q, nil
	}
	err = decodeObject(line, &q)
	return q, err
}

func refuse(err error) refusal {
	r := refusal{Error: err.Error()}
	var illegal *moveError
	var bad *engine.TextError
	switch {
	case errors.As(err, &illegal):
		r.Kind = kindMove
	case errors.As(err, &bad):
		r.Kind, r.Rank, r.Column = bad.Kind, bad.Rank, bad.Column
	case errors.Is(err, errJSON):
		r.Kind = kindJSON
	case errors.Is(err, errLine):
		r.Kind = kindLine
	default:
		r.Kind = kindElse
	}
	return r
}
