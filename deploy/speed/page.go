package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The tables of a page stand between these lines.
const (
	begin = "<!-- Written by make speed: do not edit. -->\n"
	end   = "<!-- End of what make speed writes. -->\n"
)

// games are the columns of the tables, and what flags call them.
var games = []struct{ title, name string }{{"CoTuLenh", "cotulenh"}, {"chess", "chess"}, {"Contrast", "contrast"}}

// writePage measures the current program and writes the tables of a page.
func writePage(page string, runs int) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "selfplay-speed-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "selfplay")
	if err := run("go", "build", "-o", program, "./cmd/selfplay"); err != nil {
		return err
	}
	tables, err := tables(program, filepath.Join(dir, "out"), runs)
	if err != nil {
		return err
	}
	changed, err := replaceTables(string(text), tables)
	if err != nil {
		return fmt.Errorf("write %s: %w", page, err)
	}
	return os.WriteFile(page, []byte(changed), 0o644)
}

// replaceTables returns a page with other tables.
func replaceTables(page, tables string) (string, error) {
	before, rest, found := strings.Cut(page, begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return "", fmt.Errorf("no line %q, or none %q after it", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before + begin + tables + end + after, nil
}

// tables measures the program and returns the tables.
func tables(program, out string, runs int) (string, error) {
	var b strings.Builder
	commit, err := exec.Command("git", "describe", "--always", "--dirty", "--abbrev=12").Output()
	if err != nil {
		return "", fmt.Errorf("find the commit: %w", err)
	}
	fmt.Fprintf(&b, "\nCommit %s, %s, %s. Medians of %d runs.\n\n", strings.TrimSpace(string(commit)), time.Now().Format(time.DateOnly), machine(), runs)
	if err := writeRows(&b, program, out, runs); err != nil {
		return "", err
	}
	if err := writeBench(&b, program); err != nil {
		return "", err
	}
	return b.String(), nil
}

// writeRows writes the table of rows per second of CPU time.
func writeRows(b *strings.Builder, program, out string, runs int) error {
	b.WriteString("| rows per CPU second | CoTuLenh | chess | Contrast |\n|---|---|---|---|\n")
	rates := map[string]string{}
	for _, j := range jobs {
		rate, err := j.rowsPerSecond(program, out, runs)
		if err != nil {
			return fmt.Errorf("measure %s: %w", j.name, err)
		}
		rates[j.name] = rounded(rate)
	}
	for _, j := range jobs {
		if j.game() != games[0].title {
			continue
		}
		fmt.Fprintf(b, "| %s |", j.player())
		for _, g := range games {
			fmt.Fprintf(b, " %s |", rates[j.player()+", "+g.title])
		}
		b.WriteString("\n")
	}
	return nil
}

// benchFigures are the figures of selfplay bench that the page has, with their keys in its JSON.
var benchFigures = []struct{ title, key string }{
	{"random play only, plies", "plies_per_s"},
	{"full lists of legal moves, positions", "lists_per_s"},
	{"perft from the start, last ply counted, nodes", "perft_nodes_per_s"},
}

// writeBench writes the table of figures of selfplay bench.
func writeBench(b *strings.Builder, program string) error {
	figures := map[string]map[string]any{}
	for _, g := range games {
		c := exec.Command(program, "bench", "--game", g.name, "--seconds", "30", "--json")
		c.Env = append(os.Environ(), "GOMAXPROCS=1")
		text, err := c.Output()
		if err != nil {
			return fmt.Errorf("measure %s: %w", g.name, err)
		}
		values := map[string]any{}
		if err := json.Unmarshal(text, &values); err != nil {
			return fmt.Errorf("read the figures of %s: %w", g.name, err)
		}
		figures[g.name] = values
	}
	b.WriteString("\n| per second, one core | CoTuLenh | chess | Contrast |\n|---|---|---|---|\n")
	for _, f := range benchFigures {
		fmt.Fprintf(b, "| %s |", f.title)
		for _, g := range games {
			value, _ := figures[g.name][f.key].(float64)
			fmt.Fprintf(b, " %s |", rounded(value))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	return nil
}

// rounded writes a rate with three digits, at least in thousands with a comma.
func rounded(rate float64) string {
	switch n := int(rate + 0.5); {
	case n >= 10_000_000:
		return fmt.Sprintf("%d M", (n+500_000)/1_000_000)
	case n >= 999_500:
		return fmt.Sprintf("%.2f M", rate/1e6)
	case n >= 100_000:
		return fmt.Sprintf("%d,000", (n+500)/1000)
	case n >= 10_000:
		n = (n + 50) / 100 * 100
		return fmt.Sprintf("%d,%03d", n/1000, n%1000)
	case n >= 1_000:
		n = (n + 5) / 10 * 10
		return fmt.Sprintf("%d,%03d", n/1000, n%1000)
	default:
		return fmt.Sprint(n)
	}
}
