package program

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/signal"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/ask"
	"selfplay/encode"
)

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
