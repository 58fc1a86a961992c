package corpus

import (
	"errors"
	"fmt"
)

// Targets for errors.Is. All but ErrCorrupt are bad input. A folder that does
// not exist is fs.ErrNotExist.
var (
	// ErrNotFetched: the tier is not, or not wholly, in the cache.
	ErrNotFetched = errors.New("not fetched")
	// ErrUnknownTier: there is no tier of this name.
	ErrUnknownTier = errors.New("unknown tier")
	// ErrNotFolder: the path is a file.
	ErrNotFolder = errors.New("not a folder")
	// ErrEmpty: the folder holds no file to run on.
	ErrEmpty = errors.New("no eligible files")
	// ErrCorrupt: bytes differ from what their checksum says.
	ErrCorrupt = errors.New("corrupt")
)

// notFetched is the error for a tier that Fetch would complete.
func notFetched(tier, what string) error {
	return fmt.Errorf("corpus %s: %w: %s; %s", tier, ErrNotFetched, what, fetchCommand(tier))
}

func fetchCommand(tier string) string { return "run: ddsabench corpus fetch " + tier }
