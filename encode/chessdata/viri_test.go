package chessdata

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/internal/must"
)

// viriGame returns a random game with scores.
func viriGame(seed uint64, plies int) (g Game) {
	g.Start = chess.New().Parts()
	playRandom(seed, plies, func(p *chess.Position, m engine.Move) {
		g.Moves = append(g.Moves, MoveOf(p.AppendCells(nil), chess.Unpack(m)))
		g.Scores = append(g.Scores, int16(17*len(g.Moves)-300))
	})
	g.Result = engine.Result(1 + seed%3)
	return g
}

// viriStartHex is the start of a drawn game.
const viriStartHex = "ffff00000000ffff" + "16422561" + "00000000" + "88888888" + "9ecaade9" + "40" + "00" + "0100" + "0000" + "01" + "00"

// TestViriBytesAreFrozen: the first position and the moves of a short game.
func TestViriBytesAreFrozen(t *testing.T) {
	g := Game{Start: chess.New().Parts(), Result: engine.Draw}
	p := chess.New()
	for i, text := range []string{"e2e4", "g8f6", "f1e2", "a7a6", "g1f3", "a6a5", "e1g1"} {
		m := must.Get(p.ParseMove(text))(t)
		g.Moves = append(g.Moves, MoveOf(p.AppendCells(nil), chess.Unpack(m)))
		g.Scores = append(g.Scores, int16(i+1))
		p.Do(m)
	}
	want := viriStartHex +
		"0c07" + "0100" + // e2e4: 12 | 28<<6, 1
		"7e0b" + "feff" + // g8f6: 62 | 45<<6, -2 from the view of White
		"0503" + "0300" + "300a" + "fcff" + "4605" + "0500" + "2808" + "faff" +
		"c481" + "0700" + // e1h1: 4 | 7<<6 | 2<<14
		"00000000"
	if got := hex.EncodeToString(encoded(t, AppendViri, g)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestViriSpecialMoves: number, and the same move again.
func TestViriSpecialMoves(t *testing.T) {
	for _, c := range []struct {
		fen, move string
		want      uint16
	}{
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", 4 | 0<<6 | 2<<14},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8g8", 60 | 63<<6 | 2<<14},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", 60 | 56<<6 | 2<<14},
		{"4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1", "a4b3", 24 | 17<<6 | 1<<14},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 48 | 56<<6 | 3<<12 | 3<<14},
		{"4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a2a1n", 8 | 0<<6 | 0<<12 | 3<<14},
	} {
		move := rowOf(t, c.fen, c.move).Move
		got := viriNumber(&move, false)
		if back, err := decodeViriMove(got, false); got != c.want || err != nil || back != move {
			t.Errorf("%s: number %#x, want %#x; decoded as %v, %v", c.move, got, c.want, back, err)
		}
	}
}

// TestViriReadsGamesBack: several games in one stream, from the start and from positions
// with rights and en passant squares. The moves are legal when they are replayed.
func TestViriReadsGamesBack(t *testing.T) {
	var games []Game
	for seed := range uint64(40) {
		games = append(games, viriGame(seed, 200))
	}
	for _, fen := range []string{
		"r3k2r/8/8/8/pP6/8/7n/4K2R b Kq b3 0 60",
		"rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
		"4k3/8/8/2pP4/8/8/8/4K3 w - c6 99 65535",
		"4k3/8/8/8/8/8/8/4K2R w K - 255 1",
	} {
		games = append(games, Game{Start: parts(t, fen), Result: engine.SecondWins, Moves: []Move{}, Scores: []int16{}})
	}
	r := bytes.NewReader(encoded(t, AppendViri, games...))
	for i := range games {
		got := Game{Moves: []Move{}, Scores: []int16{}}
		if err := ReadViri(r, &got); err != nil || !reflect.DeepEqual(got, games[i]) {
			t.Fatalf("game %d: %v, %+v, want %+v", i, err, got, games[i])
		}
		p := must.Get(chess.Assemble(&got.Start))(t)
		for _, m := range got.Moves {
			legal, err := p.Pack(m.Step)
			if err != nil {
				t.Fatalf("game %d: %v", i, err)
			}
			p.Do(legal)
		}
	}
	if err := ReadViri(r, new(Game)); err != io.EOF {
		t.Errorf("after the last game: %v", err)
	}
}

// TestViriOfChess960: rooks that may castle are marked wherever they stand, castling goes to the cell of the
// rook, and games are read as they were written.
func TestViriOfChess960(t *testing.T) {
	for _, c := range []struct {
		fen, move string
		kind      Kind
		want      uint16
	}{
		{"4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1", Castling, 5 | 6<<6 | 2<<14},
		{"rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBga - 0 1", "e1b1", Castling, 4 | 1<<6 | 2<<14},
		{"rr2k1rr/pppppppp/8/8/8/8/PPPPPPPP/RR2K1RR b KQga - 0 1", "e8g8", Castling, 60 | 62<<6 | 2<<14},
		{"4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "f1g1", Normal, 5 | 6<<6},
	} {
		p := chess.New960()
		must.Do(t, p.Set(c.fen))
		m := must.Get(p.ParseMove(c.move))(t)
		g := Game{Start: p.Parts(), Moves: []Move{MoveOf(p.AppendCells(nil), chess.Unpack(m))}, Scores: []int16{7}, Result: engine.Draw}
		got := Game{Start: chess.Parts{Chess960: true}}
		must.Do(t, ReadViri(bytes.NewReader(encoded(t, AppendViri, g)), &got))
		if !reflect.DeepEqual(got, g) || g.Moves[0].Kind != c.kind || viriNumber(&g.Moves[0], true) != c.want {
			t.Errorf("%s: %+v, number %#x, want %#x; read as %+v", c.fen, g, viriNumber(&g.Moves[0], true), c.want, got)
		}
		if string(appendFEN(nil, &g.Start)) != strings.TrimSuffix(p.String(), " 0 1") {
			t.Errorf("%s: FEN %s, want %s", c.fen, appendFEN(nil, &g.Start), p)
		}
		if standard := new(Game); strings.ContainsAny(c.fen, "GB") && ReadViri(bytes.NewReader(encoded(t, AppendViri, g)), standard) == nil {
			t.Errorf("%s: read as standard chess", c.fen)
		}
	}
}

// TestViriKeepsMissingScores: NoScore is the same number for both sides.
func TestViriKeepsMissingScores(t *testing.T) {
	g := viriGame(1, 2)
	g.Scores = []int16{NoScore, NoScore}
	data := encoded(t, AppendViri, g)
	var got Game
	if err := ReadViri(bytes.NewReader(data), &got); err != nil || got.Scores[0] != NoScore || got.Scores[1] != NoScore {
		t.Errorf("scores %v, %v", got.Scores, err)
	}
	if data[34] != 0x02 || data[35] != 0x7d || data[38] != 0x02 || data[39] != 0x7d {
		t.Errorf("scores % x", data[32:])
	}
}

// TestViriEndsInsideAGame: every cut is an unexpected end.
func TestViriEndsInsideAGame(t *testing.T) {
	game := viriGame(2, 5)
	data := encoded(t, AppendViri, game)
	for n := 1; n < len(data); n++ {
		if err := ReadViri(bytes.NewReader(data[:n]), new(Game)); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestViriNeedsAScoreForEachMove(t *testing.T) {
	game := viriGame(3, 4)
	if _, err := AppendViri(nil, &Game{Start: game.Start, Moves: game.Moves}); err == nil {
		t.Error("moves without scores are accepted")
	}
}

// FuzzReadViri: what is read is written and read again without a difference.
func FuzzReadViri(f *testing.F) {
	for seed := range uint64(3) {
		game := viriGame(seed, 20)
		f.Add(encoded(f, AppendViri, game))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		g := Game{Moves: []Move{}, Scores: []int16{}}
		for ReadViri(r, &g) == nil {
			again := Game{Moves: []Move{}, Scores: []int16{}}
			if err := ReadViri(bytes.NewReader(encoded(t, AppendViri, g)), &again); err != nil || !reflect.DeepEqual(again, g) {
				t.Fatalf("%+v, want %+v, %v", again, g, err)
			}
		}
	})
}
