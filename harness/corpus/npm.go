package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// npmPack downloads a package's tarball into dir with the npm client and
// returns the file. npm unpacks nothing and runs no scripts of the package.
func npmPack(ctx context.Context, dir string, p npmPackage) (string, error) {
	cmd := exec.CommandContext(ctx, "npm", "pack", "--silent", "--json", "--ignore-scripts", p.spec)
	cmd.Dir = dir
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("npm is not installed or not in PATH; install npm to fetch packages: %w", err)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("npm pack %s: %w%s", p.spec, err, npmReason(out))
	}
	file := filepath.Join(dir, p.tarball)
	if _, err := os.Stat(file); err != nil {
		return "", fmt.Errorf("npm pack %s made no file %s%s", p.spec, p.tarball, npmReason(out))
	}
	return file, nil
}

// npmReason is what npm said, from its JSON where there is any.
func npmReason(out []byte) string {
	var said struct {
		Error struct{ Code, Summary string }
	}
	if start := bytes.IndexByte(out, '{'); start >= 0 {
		// What follows the object, if anything, does not matter.
		_ = json.NewDecoder(bytes.NewReader(out[start:])).Decode(&said)
	}
	text := strings.TrimSpace(said.Error.Code + " " + said.Error.Summary)
	if text == "" {
		text = strings.TrimSpace(string(out[:min(len(out), 500)]))
	}
	if text == "" {
		return ""
	}
	return ": " + text
}
