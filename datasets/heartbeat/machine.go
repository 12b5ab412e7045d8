package heartbeat

import (
	"cmp"
	"os"
	"strings"

	"selfplay/datasets/disk"
)

// bootID is a file of Linux with a random text that changes with each boot. All containers
// of a machine read the same one.
const bootID = "/proc/sys/kernel/random/boot_id"

// Machine returns a text that two processes share if one kernel manages the locks of both:
// the boot id, or the name of the host where there is none. The text is "" if neither is
// known.
func Machine() string {
	id, _ := disk.ReadRegular(bootID, 4096)
	host, _ := os.Hostname()
	return cmp.Or(strings.TrimSpace(string(id)), host)
}
