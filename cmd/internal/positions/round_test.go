package positions

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// roundBody returns the body of a round that does the same with every position.
func roundBody(b *batch, draw int, op byte, side func(i int) byte) (body []byte) {
	for i := range b.seats {
		body = binary.LittleEndian.AppendUint64(body, uint64(100*draw+i))
	}
	body = append(body, drawStep(b, nil, draw)...)
	for i := range b.seats {
		body = append(body, side(i))
	}
	return append(body, bytes.Repeat([]byte{op}, len(b.seats))...)
}

// mustRound plays a round.
func mustRound(t *testing.T, s *session, body []byte) {
	t.Helper()
	s.body = body
	_, refused, err := s.round()
	must.Do(t, err)
	if refused != nil {
		t.Fatal(refused.text)
	}
}

// newRounds returns a session whose positions stay when they are finished.
func newRounds(t *testing.T, g encode.Game, player string, threads, n int) *session {
	t.Helper()
	s := newSession(t, g, player, threads, n)
	s.crew = newTestCrew(t, threads)
	s.batch = newBatchOn(t, s.crew, g, uint32(n), flagMover|flagPlanes)
	return s
}

// parity is the side of a position: both sides occur.
func parity(i int) byte { return byte(i % 2) }

// TestThePlayerAnswers until the side of the position is to move, alike on one goroutine and on several.
func TestThePlayerAnswers(t *testing.T) {
	for _, g := range encode.Games() {
		const n = 2*partSize + 1
		one, several := newRounds(t, g, "random", 1, n), newRounds(t, g, "random", 3, n)
		over := 0
		for draw := range 40 {
			op := byte(opPlay)
			if draw == 0 {
				op = opBegin
			}
			body := roundBody(one.batch, draw, op, parity)
			mustRound(t, one, body)
			mustRound(t, several, body)
			if !bytes.Equal(bytesOf(one.batch), bytesOf(several.batch)) {
				t.Fatalf("%s, round %d: other bytes", g.Name, draw)
			}
			for i := range one.batch.seats {
				s := &one.batch.seats[i]
				if s.outcome == engine.Ongoing && byte(s.pos.Turn()) != parity(i) {
					t.Fatalf("%s, round %d: position %d is left to the player", g.Name, draw, i)
				}
				if s.ended {
					over++
				}
			}
		}
		t.Logf("%s: %d games have ended", g.Name, over)
	}
}

// TestMixturesAreDrawnForEachGame: a game of a mixture is that of one of its players.
func TestMixturesAreDrawnForEachGame(t *testing.T) {
	const n = 40
	var games [3][n]string
	for k, player := range []string{"greedy", "ab:depth=2", "0.5*greedy + 0.5*ab:depth=2"} {
		s := newRounds(t, encode.Contrast(), player, 2, n)
		for draw := range 6 {
			op := byte(opPlay)
			if draw == 0 {
				op = opBegin
			}
			mustRound(t, s, roundBody(s.batch, draw, op, func(int) byte { return 0 }))
			for i := range s.batch.seats {
				games[k][i] += s.batch.seats[i].pos.String() + "\n"
			}
		}
	}
	var of [2]int
	for i, mixed := range games[2] {
		switch {
		case games[0][i] == games[1][i]:
		case mixed == games[0][i]:
			of[0]++
		case mixed == games[1][i]:
			of[1]++
		default:
			t.Errorf("game %d is of neither player:\n%s", i, mixed)
		}
	}
	if min(of[0], of[1]) < n/8 {
		t.Errorf("%d and %d games of the players", of[0], of[1])
	}
}

// TestRoundsBeginAgainAndSkip.
func TestRoundsBeginAgainAndSkip(t *testing.T) {
	s := newRounds(t, encode.Chess(), "greedy", 2, 3)
	first := bytesOf(s.batch)
	mustRound(t, s, roundBody(s.batch, 1, opPlay, func(int) byte { return 0 }))
	moved := bytesOf(s.batch)
	mustRound(t, s, roundBody(s.batch, 2, opSkip, func(int) byte { return 1 }))
	if !bytes.Equal(bytesOf(s.batch), moved) || bytes.Equal(moved, first) {
		t.Error("a skipped position has moved")
	}
	mustRound(t, s, roundBody(s.batch, 3, opBegin, func(int) byte { return 0 }))
	if !bytes.Equal(bytesOf(s.batch), first) {
		t.Error("a position has not begun again")
	}
}

func TestWrongRounds(t *testing.T) {
	white := func(int) byte { return 0 }
	good := func(s *session) []byte { return roundBody(s.batch, 1, opPlay, white) }
	for _, c := range []struct {
		change func(s *session)
		want   string
	}{
		{func(s *session) { s.batch = nil }, "before the positions have begun"},
		{func(s *session) { s.config.Player = nil }, "without a player"},
		{func(s *session) { s.batch.flags |= flagRestart }, "begin again by themselves"},
		{func(s *session) { s.body = s.body[1:] }, "a round of 23 bytes"},
		{func(s *session) { s.body[20] = 2 }, "position 0: side 2"},
		{func(s *session) { s.body[23] = 3 }, "position 1: 3 is nothing"},
		{func(s *session) { s.body[18], s.body[19] = 1, 0 }, "position 1: action 1 is not legal"},
	} {
		s := newRounds(t, encode.Chess(), "random", 1, 2)
		s.body = good(s)
		before := bytesOf(s.batch)
		b := s.batch
		c.change(s)
		if _, refused, err := s.round(); err != nil || refused == nil || !strings.Contains(refused.text, c.want) {
			t.Errorf("%s: %v, %v", c.want, refused, err)
		}
		if b.flags &^= flagRestart; !bytes.Equal(bytesOf(b), before) {
			t.Errorf("%s: a position has moved", c.want)
		}
	}
	s, spec := newRounds(t, encode.Chess(), "random", 1, 1), stuck(false)
	s.config.Player, s.body = &spec, roundBody(s.batch, 1, opPlay, white)
	if _, _, err := s.round(); err == nil || !strings.Contains(err.Error(), "finds no move") {
		t.Error(err)
	}
}

// TestALookKnowsThePlyLimit, which ends a game of the batch and not its position.
func TestALookKnowsThePlyLimit(t *testing.T) {
	s := newRounds(t, encode.Contrast(), "random", 1, 1)
	s.batch.limit, s.batch.flags = 1, s.batch.flags&^flagRestart
	mustRound(t, s, roundBody(s.batch, 1, opPlay, func(int) byte { return 0 }))
	v := lookAt(t, s, binary.LittleEndian.AppendUint32([]byte{flagHeld, 0, 0, 0}, 0))
	if v.Reason != "ply_limit" || len(v.Actions) != 0 || len(v.Moves) != 0 {
		t.Errorf("%+v", v)
	}
}

// TestLooksAtTheBatch show its positions.
func TestLooksAtTheBatch(t *testing.T) {
	s := newRounds(t, encode.Contrast(), "random", 1, 2)
	mustRound(t, s, roundBody(s.batch, 1, opPlay, func(int) byte { return 0 }))
	head := func(flags, index uint32) []byte {
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, flags), index)
	}
	if v := lookAt(t, s, head(flagHeld|flagMover, 1)); v.Text != s.batch.seats[1].pos.String() || len(v.Actions) != len(s.batch.legal(1)) {
		t.Errorf("%+v", v)
	}
	for _, body := range [][]byte{head(flagHeld, 2), head(flagHeld|1, 1)} {
		s.body = body
		if _, refused := s.look(); refused == nil || !strings.Contains(refused.text, "no such position") {
			t.Error(refused)
		}
	}
}
