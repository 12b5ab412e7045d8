// Package evaluatortest has an evaluator for tests: a hash function as the model, which misbehaves on request.
// It is written from docs/evaluators.md and shares no code with the client.
package evaluatortest

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"selfplay/engine"
)

const (
	headerSize = 12
	valueUnits = 1 << 14
)

// Hello is what an evaluator needs of the client's hello.
type Hello struct {
	Game           string `json:"game"`
	Rules          int    `json:"rules"`
	LayoutVersion  int    `json:"layout_version"`
	ActionsVersion int    `json:"actions_version"`
	Shape          [3]int `json:"shape"`
	ValueUnits     int    `json:"value_units"`
	LogitUnits     int    `json:"logit_units"`
	Asks           string `json:"asks"`
}

func appendHeader(dst []byte, kind, length int) []byte {
	dst = binary.LittleEndian.AppendUint32(append(dst, "SPE1"...), uint32(kind))
	return binary.LittleEndian.AppendUint32(dst, uint32(length))
}

// readFrame reads a frame. The error is io.EOF at the end of the stream.
func readFrame(r io.Reader) (kind int, body []byte, err error) {
	var b [headerSize]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return 0, nil, err
	}
	body = make([]byte, binary.LittleEndian.Uint32(b[8:]))
	_, err = io.ReadFull(r, body)
	return int(binary.LittleEndian.Uint32(b[4:])), body, err
}

// Serve answers by a hash of each position until its input ends. mode is a fault, or several with spaces between
// them: prints, mute, game=NAME, salt=TEXT (other answers), batch=N, manifest=TEXT (JSON with batch and this runtime), changes=FILE (another manifest once FILE exists), learns=FILE (other
// answers then), counts=FILE (which
// grows by a byte for every position), wobbles=N (adds N to values and N/100 to logits at every other place of a batch), and from the answer
// with a number on: exits=N, closes=N, hangs=N, drifts=N (other answers), prints_late=N, refuses=N, slow=N, neighbours=N, short=N.
func Serve(mode string, in io.Reader, out io.Writer) error {
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
	kind, body, err := readFrame(r)
	if err != nil || kind != 1 {
		return fmt.Errorf("frame %d: %w", kind, err)
	}
	var h Hello
	if err := json.Unmarshal(body, &h); err != nil {
		return err
	}
	if err := Welcome(h, faults, out); err != nil {
		return err
	}
	return answerAll(h, faults, r, out)
}

// Welcome answers a hello.
func Welcome(h Hello, faults map[string]string, out io.Writer) error {
	w := map[string]any{
		"protocol": 1, "game": h.Game, "rules": h.Rules, "layout_version": h.LayoutVersion, "actions_version": h.ActionsVersion,
		"value_units": h.ValueUnits, "logit_units": h.LogitUnits, "batch": 16, "manifest": "hash", "runtime": "test\x1b[31m", "device": "none",
	}
	if game, ok := faults["game"]; ok {
		w["game"] = game
	}
	if batch, ok := faults["batch"]; ok {
		w["batch"], _ = strconv.Atoi(batch)
	}
	if text, ok := faults["manifest"]; ok {
		w["manifest"] = fmt.Sprintf(`{"batch": %d, "runtime": %q}`, w["batch"], text)
	}
	if path, ok := faults["changes"]; ok && leavesMark(path) {
		w["manifest"] = "another"
	}
	if path, ok := faults["learns"]; ok && leavesMark(path) {
		faults["salt"] = "another"
	}
	body, err := json.Marshal(w)
	if err != nil {
		return err
	}
	_, err = out.Write(append(appendHeader(nil, 1, len(body)), body...))
	return err
}

// leavesMark makes a file and reports whether it was there.
func leavesMark(path string) bool {
	_, err := os.Stat(path)
	_ = os.WriteFile(path, nil, 0o600)
	return err == nil
}

// answerAll answers until the input ends or a fault is due.
func answerAll(h Hello, faults map[string]string, r io.Reader, out io.Writer) error {
	due := func(fault string, batch int) bool {
		value, ok := faults[fault]
		n, _ := strconv.Atoi(value)
		return ok && batch >= n
	}
	for n := 0; ; n++ {
		kind, body, err := readFrame(r)
		if err == io.EOF {
			return nil
		}
		if err != nil || kind != 2 {
			return fmt.Errorf("frame %d: %w", kind, err)
		}
		switch {
		case due("exits", n):
			os.Exit(7)
		case due("closes", n):
			return nil
		case due("hangs", n):
			time.Sleep(time.Hour)
		case due("prints_late", n):
			fmt.Fprint(out, "a line on stdout\n")
		case due("refuses", n):
			text := "\x03\x00\x00\x00the value is nan"
			_, _ = out.Write(append(appendHeader(nil, 4, len(text)), text...))
			return nil
		case due("slow", n):
			time.Sleep(30 * time.Millisecond)
		}
		if path, ok := faults["counts"]; ok {
			if err := appendBytes(path, count(h, body)); err != nil {
				return err
			}
		}
		salt := faults["salt"]
		if due("drifts", n) {
			salt = "another"
		}
		wobble, _ := strconv.Atoi(faults["wobbles"])
		answer := Answer
		if h.Asks == "moves" {
			answer = Moves
		}
		if _, err := out.Write(answer(h, body, salt, wobble, due("neighbours", n), due("short", n))); err != nil {
			return err
		}
	}
}

// appendBytes makes a file longer by n bytes.
func appendBytes(path string, n int) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, n))
	return errors.Join(err, f.Close())
}

// turns is a batch of questions about moves.
type turns struct {
	ID        uint32 `json:"id"`
	Questions []struct {
		Text    string   `json:"text"`
		History []string `json:"history"`
		Legal   []int    `json:"legal"`
		Seed    uint64   `json:"seed"`
	} `json:"questions"`
}

// count returns the number of positions of a batch.
func count(h Hello, body []byte) int {
	if h.Asks != "moves" {
		return int(binary.LittleEndian.Uint32(body[4:]))
	}
	var b turns
	_ = json.Unmarshal(body, &b) // none, then
	return len(b.Questions)
}

// Moves answers a batch of questions about moves: two of three answers have a score, one of these a policy. It takes
// the arguments of Answer.
func Moves(_ Hello, body []byte, salt string, _ int, neighbours, short bool) []byte {
	var b turns
	if err := json.Unmarshal(body, &b); err != nil {
		panic(err)
	}
	answers := []map[string]any{}
	for i, q := range b.Questions {
		sum := fnv.New64a()
		fmt.Fprint(sum, q.Text, len(q.History), q.Seed, salt)
		if neighbours {
			fmt.Fprint(sum, i)
		}
		hash := sum.Sum64()
		a := map[string]any{"action": q.Legal[hash%uint64(len(q.Legal))]}
		if hash>>32%3 > 0 {
			a["score"] = int(hash>>40%1000) - 500
		}
		if hash>>32%3 > 1 {
			policy := []int{}
			for _, action := range q.Legal {
				policy = append(policy, int(engine.Mix(hash^uint64(action))%400))
			}
			policy[0]++
			a["policy"] = policy
		}
		answers = append(answers, a)
	}
	if short {
		answers = answers[1:]
	}
	text, err := json.Marshal(map[string]any{"id": b.ID, "cpu": 1000, "model": 400, "answers": answers})
	if err != nil {
		panic(err)
	}
	return append(appendHeader(nil, 3, len(text)), text...)
}

// Answer answers a batch.
func Answer(h Hello, body []byte, salt string, wobble int, neighbours, short bool) []byte {
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(body[at:])) }
	n, m, size := u32(4), u32(8), h.Shape[0]*((h.Shape[1]*h.Shape[2]+7)/8)
	actions, planes := body[16+4*n:][:2*m], body[16+4*n+2*m:]
	if short {
		m = max(0, m-1)
	}
	dst := appendHeader(nil, 3, 32+2*n+2*m)
	for _, v := range []int{u32(0), n, m, 0, 1000, 0, 400, 0} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	var logits []byte
	at := 0
	for i := range n {
		sum := fnv.New64a()
		sum.Write(planes[i*size:][:size])
		sum.Write([]byte(salt))
		if neighbours {
			fmt.Fprint(sum, i)
		}
		hash := sum.Sum64()
		more := i % 2 * wobble
		dst = binary.LittleEndian.AppendUint16(dst, uint16(int16(max(-valueUnits, min(int(hash%(2*valueUnits+1))-valueUnits+more, valueUnits)))))
		for ; at < u32(16+4*i); at++ {
			a := binary.LittleEndian.Uint16(actions[2*at:])
			logits = binary.LittleEndian.AppendUint16(logits, uint16(engine.Mix(hash^uint64(a))%400)+uint16(more/100))
		}
	}
	return append(dst, logits[:2*m]...)
}
