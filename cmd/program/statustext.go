package program

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets/status"
)

// statusText returns the lines of a status. They have at most width columns.
func statusText(s *status.Status, c *cli.Context, dir string, width int) []string {
	var lines []string
	add := func(key, value string) { lines = append(lines, wrapped(key, value, width)...) }
	add("state", stateText(s))
	add("shards", fmt.Sprintf("%s of %s", human.Number(s.ShardsDone), human.Number(s.Shards)))
	add("games", gamesText(s))
	if s.Alive || s.Store && s.GamesPerS > 0 {
		add("rate", statusRateText(s))
		add("left", leftText(s))
	}
	add("commit", commitText(s))
	if s.DiskFree != nil {
		add("disk", diskText(s))
	}
	if s.ScratchFree != nil {
		add("scratch", human.Size(float64(*s.ScratchFree))+" free on this machine")
	}
	add("failures", failuresText(s))
	lines = append(lines, tasksText(s, width)...)
	next := nextText(s, c, dir)
	if next != "" {
		add("next", next)
	}
	return lines
}

// statusLine returns a status in one line.
func statusLine(s *status.Status) string {
	line := fmt.Sprintf("%s: %s of %s, %s of %s, %s", s.State, human.Number(s.ShardsDone), human.Count(s.Shards, "shard"),
		human.Number(s.GamesDone), human.Count(s.Target, "game"), statusRateText(s))
	if s.ETA != nil {
		line += ", " + durationText(*s.ETA) + " left"
	}
	return line
}

// stateText names the state and, without tasks, the process.
func stateText(s *status.Status) string {
	text := string(s.State)
	switch {
	case s.State == status.Done && !s.Complete:
		text += ", but the manifest is missing or old"
	case s.TaskCount > 0:
		text += "; tasks: " + tasksByState(s.Tasks)
	case len(s.Tasks) > 0:
		text += processText(&s.Tasks[0])
	}
	if s.Store && s.State != status.Done {
		text += "; processes of other machines are not seen"
	}
	if s.Others > 0 {
		text += fmt.Sprintf("; %s without a heartbeat (starting, ending, finalize or repair)", human.Count(s.Others, "process"))
	}
	return text
}

// processText says how the state of a task is known, and which process it is.
func processText(t *status.Task) string {
	if t.By == "" || t.State == status.Done {
		return ""
	}
	age := durationText(*t.Heartbeat)
	text := fmt.Sprintf(", %s: process %d on %s", knownBy(t, age), t.PID, human.Quoted(t.Host))
	switch {
	case t.Silent:
		text += ", silent for " + age
	case t.Alive:
		text += fmt.Sprintf(", started %s ago", durationText(max(0, int64(time.Since(*t.Started).Seconds()))))
	case t.By == status.ByLock:
		text += fmt.Sprintf(", last heartbeat %s ago", age)
	}
	if t.Error != "" {
		text += "; " + human.Quoted(strings.Join(strings.Fields(t.Error), " "))
	}
	return text
}

// knownBy says how it is known whether a process is alive.
func knownBy(t *status.Task, age string) string {
	switch {
	case t.By == status.ByHeartbeat:
		return fmt.Sprintf("by its heartbeat, %s old", age)
	case t.Alive:
		return "its lock is held"
	}
	return "its lock is free"
}

// tasksByState counts the tasks of each state: 1 killed, 3 running.
func tasksByState(tasks []status.Task) string {
	var parts []string
	for _, state := range taskStates {
		n := 0
		for i := range tasks {
			if tasks[i].State == state {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", human.Number(n), state))
		}
	}
	return strings.Join(parts, ", ")
}

func gamesText(s *status.Status) string {
	text := fmt.Sprintf("%s of %s", human.Number(s.GamesDone), human.Number(s.Target))
	if s.Target > 0 {
		text += fmt.Sprintf(", %s", percentText(s.GamesDone, s.Target))
	}
	if s.Journaled > 0 {
		text += fmt.Sprintf("; %s of them in journals", human.Number(s.Journaled))
	}
	return text
}

// percentText returns a share in percent. It is 100.0 % only for the whole.
func percentText(part, whole uint64) string {
	v := 100 * float64(part) / float64(max(whole, 1))
	if part < whole {
		v = min(v, 99.9)
	}
	return fmt.Sprintf("%.1f %%", v)
}

// statusRateText returns the speed in a unit that suits it.
func statusRateText(s *status.Status) string {
	perS := s.GamesPerS
	switch {
	case perS == 0 && s.Store:
		return "no commit seen yet"
	case perS == 0:
		return "no game finished yet"
	case perS < 0.1:
		return fmt.Sprintf("%.1f games per hour", perS*3600)
	case perS < 100:
		return fmt.Sprintf("%.2f games/s", perS)
	}
	return human.Number(uint64(s.GamesPerS)) + " games/s"
}

func leftText(s *status.Status) string {
	if s.ETA != nil {
		return "about " + durationText(*s.ETA)
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if !s.Store && !t.Alive && t.State != status.Done {
			return fmt.Sprintf("unknown: no process makes task %d", t.Task)
		}
	}
	return "not known yet"
}

func commitText(s *status.Status) string {
	if s.LastCommit == nil {
		return "none yet"
	}
	return "last one " + durationText(*s.LastCommit) + " ago"
}

func diskText(s *status.Status) string {
	text := human.Size(float64(*s.DiskFree)) + " free"
	if s.DiskNeeded != nil && s.State != status.Done {
		text += fmt.Sprintf(", about %s needed", human.Size(float64(*s.DiskNeeded)))
	}
	return text
}

func failuresText(s *status.Status) string {
	var parts []string
	if s.Failures.Processes > 0 {
		parts = append(parts, human.Count(s.Failures.Processes, "process")+" failed")
	}
	if s.Failures.Panics > 0 {
		parts = append(parts, human.Count(s.Failures.Panics, "panic")+" in .selfplay/failures.jsonl")
	}
	if s.Failures.LastGame != nil {
		parts = append(parts, fmt.Sprintf("the last one in game %d", *s.Failures.LastGame))
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}

// nextText returns what the user may do.
func nextText(s *status.Status, c *cli.Context, dir string) string {
	switch {
	case s.Alive || s.Complete:
		return ""
	case s.State == status.Done:
		return ownLine(c, "finalize", dir)
	case s.Store:
		return "the same command resumes, if no run works on the dataset"
	}
	return "the same command resumes"
}

// durationText returns seconds in units that suit them: 90 s, 75 min, 3 h 20 min.
func durationText(s int64) string {
	switch {
	case s < 120:
		return fmt.Sprintf("%d s", s)
	case s < 2*3600:
		return fmt.Sprintf("%d min", s/60)
	case s < 48*3600:
		return fmt.Sprintf("%d h %d min", s/3600, s/60%60)
	}
	return fmt.Sprintf("%d d %d h", s/86400, s/3600%24)
}

const (
	wideStatus     = 72 // columns that the full table of tasks needs
	maxTasks       = 16 // tasks in the table; those that need attention come first
	statusKeyWidth = 10 // columns of the names on the left
	minStatusWidth = 30 // columns that the text needs
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
	left := len(s.Tasks) - len(tasks)
	if left > 0 {
		lines = append(lines, fmt.Sprintf("and %s", human.Count(left, "more task")))
	}
	for i := range tasks {
		t := &tasks[i]
		if t.By != "" && (!t.Alive && t.State != status.Done || t.Silent || t.By == status.ByHeartbeat) {
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
	if width < wideStatus {
		return []string{"task", "state", "done", "games/s", "left"}
	}
	return []string{"task", "state", "shards", "games", "done", "games/s", "left"}
}

func taskRow(t *status.Task, width int) []string {
	row := []string{fmt.Sprint(t.Task), string(t.State)}
	if width >= wideStatus {
		row = append(row, fmt.Sprintf("%d of %d", t.ShardsDone, t.Shards), human.Number(t.GamesDone)+" of "+human.Number(t.Target))
	}
	row = append(row, percentText(t.GamesDone, t.Target), "", "")
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
	room, line := width-statusKeyWidth, ""
	for _, word := range strings.Fields(value) {
		word = cutText(word, room)
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > room {
			lines, line = append(lines, fmt.Sprintf("%-*s%s", statusKeyWidth, key, line)), ""
			key = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, strings.TrimRight(fmt.Sprintf("%-*s%s", statusKeyWidth, key, line), " "))
}

// cutText shortens a text to width columns.
func cutText(text string, width int) string {
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
		lines[i] = cutText(strings.TrimRight(line, " "), width)
	}
	return lines
}
