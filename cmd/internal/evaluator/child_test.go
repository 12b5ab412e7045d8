package evaluator

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/workers"
)

// The test binary is an evaluator if this variable is set. Its value says how it misbehaves.
const childVariable = "SELFPLAY_TEST_CHILD"

func TestMain(m *testing.M) {
	if mode, ok := os.LookupEnv(childVariable); ok {
		if err := child(mode, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// child answers by a hash of each position. mode is a fault, or several with spaces between them.
func child(mode string, in io.Reader, out io.Writer) error {
	faults := map[string]string{}
	for _, fault := range strings.Fields(mode) {
		name, value, _ := strings.Cut(fault, "=")
		faults[name] = value
	}
	if _, ok := faults["prints"]; ok {
		fmt.Fprint(out, "loading SPE and\nmore\n")
	}
	if _, ok := faults["mute"]; ok {
		time.Sleep(time.Hour)
	}
	r := bufio.NewReader(in)
	kind, length, err := readHeader(r)
	if err != nil || kind != kindHello {
		return fmt.Errorf("frame %d: %w", kind, err)
	}
	body, err := readBody(r, length, maxHello)
	if err != nil {
		return err
	}
	var h Hello
	if err := json.Unmarshal(body, &h); err != nil {
		return err
	}
	if err := welcome(h, faults, out); err != nil {
		return err
	}
	return answerAll(h, faults, r, out)
}

func welcome(h Hello, faults map[string]string, out io.Writer) error {
	w := Welcome{
		Protocol: h.Protocol, Game: h.Game, Rules: h.Rules, LayoutVersion: h.LayoutVersion, ActionsVersion: h.ActionsVersion,
		ValueUnits: h.ValueUnits, LogitUnits: h.LogitUnits, Batch: 16, Manifest: "hash", Runtime: "test\x1b[31m", Device: "none",
	}
	if game, ok := faults["game"]; ok {
		w.Game = game
	}
	if batch, ok := faults["batch"]; ok {
		w.Batch, _ = strconv.Atoi(batch)
	}
	if path, ok := faults["changes"]; ok {
		if _, err := os.Stat(path); err == nil {
			w.Manifest = "another"
		}
		_ = os.WriteFile(path, nil, 0o600)
	}
	body, err := json.Marshal(w)
	if err != nil {
		return err
	}
	_, err = out.Write(append(appendHeader(nil, kindHello, len(body)), body...))
	return err
}

// answerAll answers until the input ends or a fault is due.
func answerAll(h Hello, faults map[string]string, r io.Reader, out io.Writer) error {
	due := func(fault string, batch int) bool {
		value, ok := faults[fault]
		n, _ := strconv.Atoi(value)
		return ok && batch >= n
	}
	for n := 0; ; n++ {
		kind, length, err := readHeader(r)
		if err == io.EOF {
			return nil
		}
		if err != nil || kind != kindQuestion {
			return fmt.Errorf("frame %d: %w", kind, err)
		}
		body, err := readBody(r, length, 1<<30)
		if err != nil {
			return err
		}
		switch {
		case due("exits", n):
			os.Exit(7)
		case due("hangs", n):
			time.Sleep(time.Hour)
		case due("prints_late", n):
			fmt.Fprint(out, "a line on stdout\n")
		case due("refuses", n):
			text := "\x03\x00\x00\x00the value is nan"
			_, _ = out.Write(append(appendHeader(nil, kindError, len(text)), text...))
			return nil
		case due("slow", n):
			time.Sleep(30 * time.Millisecond)
		}
		if _, err := out.Write(answerOf(h, body, due("neighbours", n), due("short", n))); err != nil {
			return err
		}
	}
}

// answerOf answers a batch.
func answerOf(h Hello, body []byte, neighbours, short bool) []byte {
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(body[at:])) }
	n, m, size := u32(4), u32(8), h.planeBytes()
	actions, planes := body[16+4*n:][:2*m], body[16+4*n+2*m:]
	if short {
		m = max(0, m-1)
	}
	dst := appendHeader(nil, kindAnswer, answerHead+2*n+2*m)
	for _, v := range []int{u32(0), n, m, 0, 1000, 0, 400, 0} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	var logits []byte
	at := 0
	for i := range n {
		sum := fnv.New64a()
		sum.Write(planes[i*size:][:size])
		if neighbours {
			fmt.Fprint(sum, i)
		}
		hash := sum.Sum64()
		dst = binary.LittleEndian.AppendUint16(dst, uint16(int16(int(hash%(2*search.ModelOne+1))-search.ModelOne)))
		for ; at < u32(16+4*i); at++ {
			a := binary.LittleEndian.Uint16(actions[2*at:])
			logits = binary.LittleEndian.AppendUint16(logits, uint16(engine.Mix(hash^uint64(a))%400))
		}
	}
	return append(dst, logits[:2*m]...)
}

var _ workers.Evaluator = (*Client)(nil)
