//go:build linux

package worker

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// A descriptor is a blocking file, read and written on the thread that asks.
type descriptor int

func (d descriptor) Read(b []byte) (int, error) {
	for {
		n, err := unix.Read(int(d), b)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 0, os.NewSyscallError("read", err)
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (d descriptor) Write(b []byte) (int, error) {
	done := 0
	for done < len(b) {
		n, err := unix.Write(int(d), b[done:])
		if err != nil && err != unix.EINTR {
			return done, os.NewSyscallError("write", err)
		}
		done += max(0, n)
	}
	return done, nil
}
