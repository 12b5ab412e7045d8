package record

import (
	"errors"
	"os"
	"strings"
	"testing"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// TestAnswersAgreeWithinTheirTolerance and not beyond, in either direction.
func TestAnswersAgreeWithinTheirTolerance(t *testing.T) {
	stored := Answers{Evaluator: "mine", Values: []int16{0, -16000}, Logits: [][]int16{{0, 1000}, nil}}
	for _, c := range []struct {
		name   string
		agrees bool
		other  Answers
	}{
		{"the same", true, stored},
		{"values", true, Answers{Values: []int16{-327, -16327}, Logits: stored.Logits}},
		{"a value", false, Answers{Values: []int16{328, -16000}, Logits: stored.Logits}},
		{"logits", true, Answers{Values: stored.Values, Logits: [][]int16{{-10, 1030}, nil}}},
		{"a small logit", false, Answers{Values: stored.Values, Logits: [][]int16{{11, 1000}, nil}}},
		{"a large logit", false, Answers{Values: stored.Values, Logits: [][]int16{{0, 969}, nil}}},
		{"more moves", false, Answers{Values: stored.Values, Logits: [][]int16{{0, 1000, 0}, nil}}},
		{"fewer positions", false, Answers{Values: stored.Values[:1], Logits: stored.Logits[:1]}},
	} {
		if err := stored.Agree(c.other); (err == nil) != c.agrees || err != nil && !errors.Is(err, ErrAnswers) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestKeptAnswersStand: the first ones are stored, later ones are compared, and a damaged file is an error that names it.
func TestKeptAnswersStand(t *testing.T) {
	d := disk.Dir{Root: t.TempDir(), FS: disk.OS{}}
	must.Do(t, d.MakeFolders(disk.TempFolder))
	first := Answers{Evaluator: "mine", Values: []int16{5}, Logits: [][]int16{{1, 2}}}
	must.Do(t, CheckAnswers(d, first))
	must.Do(t, KeepAnswers(d, first))
	near := Answers{Evaluator: "mine", Values: []int16{7}, Logits: [][]int16{{1, 3}}}
	must.Do(t, KeepAnswers(d, near))
	if got := must.Get(ReadAnswers(d, "mine"))(t); got.Values[0] != 5 {
		t.Errorf("the answers became %v", got)
	}
	far := Answers{Evaluator: "mine", Values: []int16{7000}, Logits: [][]int16{{1, 3}}}
	if err := KeepAnswers(d, far); !errors.Is(err, ErrAnswers) {
		t.Errorf("other answers: %v", err)
	}
	path := d.Path(plan.AnswersFolder + "/mine.json")
	text := string(must.Get(os.ReadFile(path))(t))
	must.Do(t, os.WriteFile(path, []byte(strings.Replace(text, "[5]", "[6]", 1)), 0o600))
	must.Fail(ReadAnswers(d, "mine"))(t, fault.ErrCorrupt, "another sum")
	must.Do(t, os.WriteFile(path, []byte("{"), 0o600))
	must.Fail(ReadAnswers(d, "mine"))(t, fault.ErrCorrupt, "copy the file from a backup")
}

// TestLostAnswersAreRefused where a dataset has games: any model would agree with none.
func TestLostAnswersAreRefused(t *testing.T) {
	d := disk.Dir{Root: t.TempDir(), FS: disk.OS{}}
	must.Do(t, d.MakeFolders(disk.TempFolder, plan.CommitsFolder))
	must.Do(t, CheckAnswers(d, Answers{Evaluator: "mine"}))
	must.Do(t, os.WriteFile(d.Path(plan.CommitName(0)), nil, 0o600))
	for name, check := range map[string]func(disk.Dir, Answers) error{"check": CheckAnswers, "keep": KeepAnswers} {
		if err := check(d, Answers{Evaluator: "mine"}); !errors.Is(err, fault.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
