package app

import (
	"io/fs"
	"testing"
)

func TestCgroupLimit(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no cgroups":      {nil, 0},
		"none set":        {map[string]string{"/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "max\n"}, 0},
		"its own":         {map[string]string{"/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "1000\n", "/sys/fs/cgroup/a/memory.max": "2000\n"}, 1000},
		"a parent's":      {map[string]string{"/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "max\n", "/sys/fs/cgroup/a/memory.max": "2000\n"}, 2000},
		"of a container":  {map[string]string{"/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "3000\n"}, 3000},
		"of version 1":    {map[string]string{"/proc/self/cgroup": "9:memory:/x\n2:cpu:/x\n", "/sys/fs/cgroup/memory/x/memory.limit_in_bytes": "4000\n"}, 4000},
		"nothing written": {map[string]string{"/proc/self/cgroup": "garbage\n0::\n", "/sys/fs/cgroup/memory.max": ""}, 0},
	} {
		limit, ok := cgroupLimit(func(name string) ([]byte, error) {
			text, ok := c.files[name]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return []byte(text), nil
		})
		if limit != c.want || ok != (c.want > 0) {
			t.Errorf("%s: %d, %t, want %d", name, limit, ok, c.want)
		}
	}
}
