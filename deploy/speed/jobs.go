package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// job is a run of both programs. Each takes a second or two.
type job struct{ name, flags string }

// player and game are the parts of the name.
func (j job) player() string { player, _, _ := strings.Cut(j.name, ", "); return player }
func (j job) game() string   { _, game, _ := strings.Cut(j.name, ", "); return game }

// jobs are the kinds of players that docs/lab/speed.md has figures of. To measure something else, add it here.
// A name is a player and a game.
var jobs = []job{
	{"random, CoTuLenh", "--game cotulenh --player random --board-type packed --games 2000"},
	{"random, chess", "--game chess --player random --board-type packed --games 4000"},
	{"random, Contrast", "--game contrast --player random --board-type packed --games 20000"},
	{"ab:depth=1, CoTuLenh", "--game cotulenh --player ab:depth=1,net=none --games 100"},
	{"ab:depth=1, chess", "--game chess --player ab:depth=1,net=none --games 300"},
	{"ab:depth=2, CoTuLenh", "--game cotulenh --player ab:depth=2,net=none --games 30"},
	{"ab:depth=2, chess", "--game chess --player ab:depth=2,net=none --games 100"},
	{"nodes=1000, CoTuLenh", "--game cotulenh --player ab:nodes=1000,hash=1,net=none --games 8"},
	{"nodes=1000, chess", "--game chess --player ab:nodes=1000,hash=1,net=none --games 20"},
	{"nodes=1000, Contrast", "--game contrast --player ab:nodes=1000,hash=1,net=none --games 80"},
	{"nodes=1000 with the network, CoTuLenh", "--game cotulenh --player ab:nodes=1000,hash=1 --games 5"},
	{"nodes=1000 with the network, chess", "--game chess --player ab:nodes=1000,hash=1 --games 10"},
	{"nodes=1000 with the network, Contrast", "--game contrast --player ab:nodes=1000,hash=1 --games 60"},
}

// measure runs a job in pairs: each program first in every other one.
func (j job) measure(old, current, out string, pairs int) (result, error) {
	base, ratios := make([]float64, pairs), make([]float64, pairs)
	for i := range pairs {
		first, second := old, current
		if i%2 == 1 {
			first, second = current, old
		}
		a, err := j.run(first, out)
		if err != nil {
			return result{}, err
		}
		b, err := j.run(second, out)
		if err != nil {
			return result{}, err
		}
		if i%2 == 1 {
			a, b = b, a
		}
		base[i], ratios[i] = a.Seconds(), a.Seconds()/b.Seconds()
	}
	return newResult(base, ratios), nil
}

// rowsPerSecond returns the median number of rows that a program writes per second of CPU time.
func (j job) rowsPerSecond(program, out string, runs int) (float64, error) {
	rates := make([]float64, runs)
	for i := range rates {
		t, rows, err := j.make(program, out)
		if err != nil {
			return 0, err
		}
		rates[i] = float64(rows) / t.Seconds()
	}
	slices.Sort(rates)
	return median(rates), nil
}

// run makes the dataset of the job and returns the CPU time of the process.
func (j job) run(program, out string) (time.Duration, error) {
	t, _, err := j.make(program, out)
	return t, err
}

// make is run that also returns the number of rows.
func (j job) make(program, out string) (t time.Duration, rows int, err error) {
	defer os.RemoveAll(out)
	args := append(strings.Fields(j.flags), "--quiet", "--workers", "1", "--seed", "11", "--out", out)
	c := exec.Command(program, append([]string{"run"}, args...)...)
	c.Env = append(os.Environ(), "GOMAXPROCS=1")
	if text, err := c.CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("%w: %s", err, text)
	}
	data, err := os.ReadFile(filepath.Join(out, "manifest.json"))
	if err != nil {
		return 0, 0, err
	}
	var manifest struct{ Rows int }
	if err := json.Unmarshal(data, &manifest); err != nil {
		return 0, 0, fmt.Errorf("read the manifest: %w", err)
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), manifest.Rows, nil
}
