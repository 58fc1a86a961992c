package count

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

const tracefsMount = "/sys/kernel/tracing"

// findTracefs returns where tracefs is mounted.
func findTracefs() (string, error) {
	for _, dir := range []string{tracefsMount, "/sys/kernel/debug/tracing"} {
		var fs unix.Statfs_t
		if unix.Statfs(dir, &fs) == nil && fs.Type == unix.TRACEFS_MAGIC {
			if _, err := os.Stat(filepath.Join(dir, "events")); err != nil {
				return "", fmt.Errorf("tracefs: %w", err)
			}
			return dir, nil
		}
	}
	return "", errors.New("tracefs is not mounted; run: mount -t tracefs nodev " + tracefsMount)
}

// openTracefs is findTracefs that mounts it if it is not there and that is
// wanted. The returned function undoes a mount; it is nil if there was none.
func openTracefs(mount bool) (dir string, undo func() error, err error) {
	if dir, err = findTracefs(); err == nil {
		return dir, nil, nil
	}
	if !mount {
		return "", nil, err
	}
	if err := unix.Mount("nodev", tracefsMount, "tracefs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return "", nil, fmt.Errorf("mount tracefs at %s: %w", tracefsMount, err)
	}
	return tracefsMount, func() error {
		if err := unix.Unmount(tracefsMount, 0); err != nil {
			return fmt.Errorf("unmount tracefs, which was mounted for counting, at %s: %w", tracefsMount, err)
		}
		return nil
	}, nil
}
