package serve

import (
	"fmt"
	"runtime"
)

// quietly makes a panic an error: after one, another is no surprise.
func quietly(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("serve: panic: %s", panicKind(value))
		}
	}()
	return do()
}

// panicKind tells of a panic what cannot hold a file's text.
func panicKind(value any) string {
	if err, ok := value.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", value)
}
