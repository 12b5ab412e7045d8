package evaluator

import (
	"encoding/binary"
	"fmt"

	"selfplay/engine/search"
	"selfplay/workers"
)

// A batch of n questions with m actions in all is
//
//	uint32     id, n, m, and 0
//	uint32[n]  where the actions of each question end
//	uint16[m]  the actions
//	n * S      the planes, S bytes a question
//
// and its answer
//
//	uint32     id, n, m, and 0
//	uint64     CPU time of the evaluator in nanoseconds, all of it
//	uint64     the part of it that the model itself took
//	int16[n]   values
//	int16[m]   logits

const (
	questionHead = 16
	answerHead   = 32
)

// appendQuestions appends a batch as a frame.
func appendQuestions(dst []byte, id uint32, batch []*workers.Question) []byte {
	if asksMoves(batch) {
		return appendTurns(dst, id, batch)
	}
	start := len(dst)
	dst = appendHeader(dst, kindQuestion, 0)
	total := 0
	for _, q := range batch {
		total += len(q.Actions)
	}
	for _, v := range [4]uint32{id, uint32(len(batch)), uint32(total), 0} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	end := 0
	for _, q := range batch {
		end += len(q.Actions)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(end))
	}
	for _, q := range batch {
		for _, a := range q.Actions {
			dst = append(dst, byte(a), byte(a>>8))
		}
	}
	for _, q := range batch {
		dst = append(dst, q.Planes...)
	}
	binary.LittleEndian.PutUint32(dst[start+8:], uint32(len(dst)-start-headerSize))
	return dst
}

// checkSize returns an error if the answer to a batch cannot have a size.
func checkSize(size int, batch []*workers.Question) error {
	if asksMoves(batch) {
		if most := maxTurnAnswer(batch); size > most {
			return fmt.Errorf("an answer of %d bytes to %d positions: want at most %d", size, len(batch), most)
		}
		return nil
	}
	if want := answerSize(batch); size != want {
		return fmt.Errorf("an answer of %d bytes to %d positions: want %d", size, len(batch), want)
	}
	return nil
}

// answerSize returns the size of the answer to a batch.
func answerSize(batch []*workers.Question) int {
	size := answerHead
	for _, q := range batch {
		size += 2 + 2*len(q.Actions)
	}
	return size
}

// usage is the CPU time that an evaluator reports.
type usage struct{ all, model uint64 }

// parseAnswer fills in the answers of a batch.
func parseAnswer(body []byte, id uint32, batch []*workers.Question) (u usage, err error) {
	if asksMoves(batch) {
		return parseTurns(body, id, batch)
	}
	n := len(batch)
	if err := checkSize(len(body), batch); err != nil {
		return u, err
	}
	m := (len(body) - answerHead - 2*n) / 2
	for i, want := range [4]uint32{id, uint32(n), uint32(m), 0} {
		if got := binary.LittleEndian.Uint32(body[4*i:]); got != want {
			return u, fmt.Errorf("number %d of an answer is %d: want %d", i, got, want)
		}
	}
	u = usage{binary.LittleEndian.Uint64(body[16:]), binary.LittleEndian.Uint64(body[24:])}
	values, logits := body[answerHead:][:2*n], body[answerHead+2*n:]
	for i, q := range batch {
		q.Value = int16(binary.LittleEndian.Uint16(values[2*i:]))
		if q.Value < -search.ModelOne || q.Value > search.ModelOne {
			return u, &workers.WrongAnswer{Question: i, Reason: fmt.Sprintf("the value is %d: want -%d to %[2]d", q.Value, search.ModelOne)}
		}
		q.Logits = q.Logits[:0]
		for range q.Actions {
			q.Logits = append(q.Logits, int16(binary.LittleEndian.Uint16(logits)))
			logits = logits[2:]
		}
	}
	return u, nil
}
