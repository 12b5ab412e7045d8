package evaluator

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"testing"

	"selfplay/cmd/internal/evaluator/evaluatortest"
	"selfplay/engine/search"
	"selfplay/internal/must"
	"selfplay/workers"
)

// FuzzAnswer: an answer is taken whole or refused, and sets no more than was asked.
func FuzzAnswer(f *testing.F) {
	batch := func() []*workers.Question {
		return []*workers.Question{{Planes: make([]byte, 3), Actions: []uint16{1, 2, 3}}, {Planes: make([]byte, 3)}, {Planes: make([]byte, 3), Actions: []uint16{9}}}
	}
	h := evaluatortest.Hello{Shape: [3]int{3, 2, 2}}
	frame := appendQuestions(nil, 5, batch())
	f.Add(evaluatortest.Answer(h, frame[headerSize:], "", 0, false, false)[headerSize:])
	tooLarge := evaluatortest.Answer(h, frame[headerSize:], "", 0, false, false)[headerSize:]
	binary.LittleEndian.PutUint16(tooLarge[answerHead:], 20000)
	f.Add(tooLarge)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		b := batch()
		if _, err := parseAnswer(body, 5, b); err != nil {
			return
		}
		for i, q := range batch() {
			if v := b[i].Value; v < -search.ModelOne || v > search.ModelOne {
				t.Errorf("question %d: value %d", i, v)
			}
			if len(b[i].Logits) != len(q.Actions) {
				t.Errorf("question %d: %d logits", i, len(b[i].Logits))
			}
		}
	})
}

// FuzzGreeting: any bytes of an evaluator lead to a welcome that fits or to an error.
func FuzzGreeting(f *testing.F) {
	h := must.Get(Asked{Game: game(f, "contrast")}.Hello())(f)
	var out bytes.Buffer
	must.Do(f, evaluatortest.Welcome(evaluatortest.Hello{Game: h.Game, Rules: h.Rules, LayoutVersion: h.LayoutVersion, ActionsVersion: h.ActionsVersion}, nil, &out))
	f.Add(out.Bytes())
	f.Add(append([]byte("loading\nSPESPE1"), out.Bytes()...))
	f.Add(append(appendHeader(nil, kindError, 7), "\x00\x00\x00\x00bad"...))
	f.Fuzz(func(t *testing.T, data []byte) {
		var c conn
		_, err := greet(&fakeStream{bytes.NewReader(data)}, &h, io.Discard, &c)
		if err == nil && (c.welcome.Batch < 1 || c.welcome.Game != h.Game || c.welcome.Manifest == "") {
			t.Errorf("%+v", c.welcome)
		}
	})
}

// fakeStream reads some bytes and takes all.
type fakeStream struct{ io.Reader }

func (*fakeStream) Write(b []byte) (int, error) { return len(b), nil }
func (*fakeStream) Close() error                { return nil }

// TestFramesHaveTheSizesOfTheDocumentation for a batch of three positions.
func TestFramesHaveTheSizesOfTheDocumentation(t *testing.T) {
	q := []*workers.Question{{Planes: []byte{1, 2}, Actions: []uint16{0x102, 3}}, {Planes: []byte{3, 4}}, {Planes: []byte{5, 6}, Actions: []uint16{7}}}
	want := "SPE1\x02\x00\x00\x00\x28\x00\x00\x00" + "\x09\x00\x00\x00\x03\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00" +
		"\x02\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00" + "\x02\x01\x03\x00\x07\x00" + "\x01\x02\x03\x04\x05\x06"
	if got := string(appendQuestions(nil, 9, q)); got != want {
		t.Errorf("%q\n%q", got, want)
	}
	if n := answerSize(q); n != 32+2*3+2*3 {
		t.Error(n)
	}
	r := bufio.NewReader(bytes.NewReader(must.Get(json.Marshal(Hello{}))(t)))
	if _, _, err := readHeader(r); err == nil {
		t.Error("JSON is no frame")
	}
}
