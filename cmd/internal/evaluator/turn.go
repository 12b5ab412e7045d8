package evaluator

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/workers"
)

// Programs that choose moves are asked and answer in JSON.

// turnBatch is the body of a question about moves.
type turnBatch struct {
	ID        uint32         `json:"id"`
	Questions []turnQuestion `json:"questions"`
}

type turnQuestion struct {
	Start   string      `json:"start"`
	History []string    `json:"history"`
	Text    string      `json:"text"`
	Side    engine.Side `json:"side"`
	Legal   []uint16    `json:"legal"`
	Moves   []string    `json:"moves"`
	Seed    uint64      `json:"seed"`
}

// turnAnswers is the body of the answer.
type turnAnswers struct {
	ID      uint32       `json:"id"`
	CPU     uint64       `json:"cpu"`   // nanoseconds, all of it
	Model   uint64       `json:"model"` // the part of the function of the user
	Answers []turnAnswer `json:"answers"`
}

type turnAnswer struct {
	Action int   `json:"action"`
	Score  *int  `json:"score"`
	Policy []int `json:"policy"`
}

// asksMoves reports whether a batch asks for moves.
func asksMoves(batch []*workers.Question) bool { return batch[0].Turn != nil }

// appendTurns appends a batch as a frame.
func appendTurns(dst []byte, id uint32, batch []*workers.Question) []byte {
	b := turnBatch{ID: id}
	for _, q := range batch {
		t := q.Turn
		history := t.History
		if history == nil {
			history = []string{}
		}
		b.Questions = append(b.Questions, turnQuestion{t.Start, history, t.Text, t.Side, q.Actions, t.Moves, t.Seed})
	}
	body, err := json.Marshal(b)
	if err != nil {
		panic("evaluator: " + err.Error()) // it holds numbers and texts
	}
	return append(appendHeader(dst, kindQuestion, len(body)), body...)
}

// maxTurnAnswer bounds the bytes of the answer to a batch, with room for spaces around the weights.
func maxTurnAnswer(batch []*workers.Question) int {
	size := 1 << 10
	for _, q := range batch {
		size += 1<<10 + 16*len(q.Actions)
	}
	return size
}

// parseTurns fills in the answers of a batch.
func parseTurns(body []byte, id uint32, batch []*workers.Question) (u usage, err error) {
	var a turnAnswers
	if err := json.Unmarshal(body, &a); err != nil {
		return u, fmt.Errorf("read answer: %w", err)
	}
	if a.ID != id || len(a.Answers) != len(batch) {
		return u, fmt.Errorf("answer %d about %d positions: want answer %d about %d", a.ID, len(a.Answers), id, len(batch))
	}
	for i, q := range batch {
		if err := a.Answers[i].fill(q); err != nil {
			return u, &workers.WrongAnswer{Question: i, Reason: err.Error()}
		}
	}
	return usage{a.CPU, a.Model}, nil
}

// fill fills in the answer to a question.
func (a *turnAnswer) fill(q *workers.Question) error {
	t := q.Turn
	t.Choice = slices.IndexFunc(q.Actions, func(action uint16) bool { return int(action) == a.Action })
	t.Scored, t.Score, t.Policy = a.Score != nil, 0, t.Policy[:0]
	switch {
	case t.Choice < 0:
		return fmt.Errorf("action %d is not legal: want one of the %d legal actions", a.Action, len(q.Actions))
	case a.Score == nil && len(a.Policy) > 0:
		return errors.New("a policy without a score: want both")
	case a.Score == nil:
		return nil
	case *a.Score < -search.MateScore || *a.Score > search.MateScore:
		return fmt.Errorf("score %d: want -%d to %[2]d", *a.Score, search.MateScore)
	case len(a.Policy) > 0 && len(a.Policy) != len(q.Actions):
		return fmt.Errorf("a policy of %d weights: want one for each of the %d legal actions", len(a.Policy), len(q.Actions))
	case len(a.Policy) > 0 && slices.Max(a.Policy) == 0:
		return errors.New("a policy of zeros: want a weight above 0")
	}
	t.Score = int16(*a.Score)
	for _, weight := range a.Policy {
		if weight < 0 || weight > math.MaxUint16 {
			return fmt.Errorf("weight %d: want 0 to %d", weight, math.MaxUint16)
		}
		t.Policy = append(t.Policy, uint16(weight))
	}
	return nil
}
