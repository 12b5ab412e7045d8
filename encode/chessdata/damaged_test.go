package chessdata

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

// TestDamagedFiles: what readers say of files with other bytes. A question is a file and its
// changes: 3=58 sets byte 3, counted from 0, to 0x58, and :30 keeps 30 bytes.
func TestDamagedFiles(t *testing.T) {
	a := rowOf(t, chess.StartText, "e2e4")
	b := rowOf(t, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e7e5")
	one, two := binpack(t, []Row{a}), slices.Concat([]Row{a, b}, gameRows(1, 10))
	a.Score, b.Score = 30, -20 // movetext of 15 bits
	files := map[string]struct {
		data []byte
		read func(data []byte) string
	}{
		"binpack": {one, readBinpack},
		"chain":   {binpack(t, []Row{a, b}), readBinpack},
		"games":   {binpack(t, two), func(data []byte) string { return strings.Join(describe(NewBinpackGames(bytes.NewReader(data))), "|") }},
		"bullet":  {encoded(t, AppendBullet, Row{Position: chess.New().Parts()}), func(data []byte) string { _, err := decodeBullet(data); return fmt.Sprint(err) }},
		"viri":    {encoded(t, AppendViri, viriGame(3, 4)), func(data []byte) string { return fmt.Sprint(ReadViri(bytes.NewReader(data), new(Game))) }},
	}
	enginetest.Conversation(t, "testdata/damaged.txt", "Find out why readers accept other files or say something else", func(question string) string {
		words := strings.Fields(question)
		f := files[words[0]]
		return f.read(damaged(t, f.data, words[1:]))
	})
}

// damaged returns data with changes.
func damaged(t *testing.T, data []byte, changes []string) []byte {
	t.Helper()
	data = bytes.Clone(data)
	for _, change := range changes {
		at, value, sets := strings.Cut(change, "=")
		n, err := strconv.Atoi(strings.TrimPrefix(at, ":"))
		if err == nil && sets {
			_, err = hex.Decode(data[n:], []byte(value))
		}
		if err != nil {
			t.Fatalf("change %q: %v", change, err)
		}
		if !sets {
			data = data[:n]
		}
	}
	return data
}

// readBinpack reads positions up to an error, which is EOF at the end.
func readBinpack(data []byte) string {
	for r := NewBinpackReader(bytes.NewReader(data)); ; {
		if _, err := r.Read(); err != nil {
			return err.Error()
		}
	}
}
