package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// machine describes what the figures depend on: processor, Go and the load from other programs.
func machine() string {
	load := "unknown"
	if data, err := os.ReadFile("/proc/loadavg"); err == nil {
		load, _, _ = strings.Cut(string(data), " ")
	}
	return fmt.Sprintf("%s, %d processors, %s/%s, %s, load %s at the start", processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), load)
}

// processor returns the name, family and model of the processor, as Linux states them.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	defer f.Close()
	fields := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan() && lines.Text() != ""; {
		key, value, _ := strings.Cut(lines.Text(), ":")
		fields[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	name := fields["model name"]
	if name == "" {
		name = "unknown processor"
	}
	return fmt.Sprintf("%s (family %s, model %s)", name, fields["cpu family"], fields["model"])
}
