package program

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"selfplay/cmd/internal/human"
	"selfplay/datasets/status"
)

const (
	wide     = 72 // columns that the full table of tasks needs
	maxTasks = 16 // tasks in the table; those that need attention come first
	keyWidth = 10 // columns of the names on the left
	minWidth = 30 // columns that the text needs
)

// taskStates are the states of tasks. Those that need attention come first.
var taskStates = []status.State{status.Failed, status.Killed, status.Stopped, status.Unfinished, status.Running, status.Done}

// tasksText returns a table of the tasks, and a line for each process that has ended before
// its end. Without tasks it returns nothing. Of many tasks it shows maxTasks.
func tasksText(s *status.Status, width int) []string {
	if s.TaskCount == 0 {
		return nil
	}
	tasks := shownTasks(s.Tasks)
	rows := [][]string{taskHeads(width)}
	for i := range tasks {
		rows = append(rows, taskRow(&tasks[i], width))
	}
	lines := append([]string{""}, aligned(rows, width)...)
	if left := len(s.Tasks) - len(tasks); left > 0 {
		lines = append(lines, fmt.Sprintf("and %s", human.Count(left, "more task")))
	}
	for i := range tasks {
		if t := &tasks[i]; t.By != "" && (!t.Alive && t.State != status.Done || t.Silent || t.By == status.ByHeartbeat) {
			lines = append(lines, wrapped(fmt.Sprintf("task %d", t.Task), string(t.State)+processText(t), width)...)
		}
	}
	return lines
}

// shownTasks returns the tasks to show, by number.
func shownTasks(tasks []status.Task) []status.Task {
	if len(tasks) <= maxTasks {
		return tasks
	}
	urgency := func(t status.Task) int {
		if t.Silent {
			return 0
		}
		return slices.Index(taskStates, t.State)
	}
	list := slices.Clone(tasks)
	slices.SortStableFunc(list, func(a, b status.Task) int { return urgency(a) - urgency(b) })
	list = list[:maxTasks]
	slices.SortFunc(list, func(a, b status.Task) int { return a.Task - b.Task })
	return list
}

// taskHeads returns the heads of the table. A narrow table lacks shards and games.
func taskHeads(width int) []string {
	if width < wide {
		return []string{"task", "state", "done", "games/s", "left"}
	}
	return []string{"task", "state", "shards", "games", "done", "games/s", "left"}
}

func taskRow(t *status.Task, width int) []string {
	row := []string{fmt.Sprint(t.Task), string(t.State)}
	if width >= wide {
		row = append(row, fmt.Sprintf("%d of %d", t.ShardsDone, t.Shards), human.Number(t.GamesDone)+" of "+human.Number(t.Target))
	}
	row = append(row, percent(t.GamesDone, t.Target), "", "")
	if t.Alive {
		row[len(row)-2] = fmt.Sprintf("%.4g", t.GamesPerS)
		if t.ETA != nil {
			row[len(row)-1] = durationText(*t.ETA)
		}
	}
	return row
}

// wrapped breaks a value between words, so that key and value fit in width columns. A word
// that is longer than a line is cut.
func wrapped(key, value string, width int) (lines []string) {
	room, line := width-keyWidth, ""
	for _, word := range strings.Fields(value) {
		word = cut(word, room)
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > room {
			lines, line = append(lines, fmt.Sprintf("%-*s%s", keyWidth, key, line)), ""
			key = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, strings.TrimRight(fmt.Sprintf("%-*s%s", keyWidth, key, line), " "))
}

// cut shortens a text to width columns.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// aligned returns the lines of a table, each cut to width columns.
func aligned(rows [][]string, width int) []string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	t.Flush()
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for i, line := range lines {
		lines[i] = cut(strings.TrimRight(line, " "), width)
	}
	return lines
}
