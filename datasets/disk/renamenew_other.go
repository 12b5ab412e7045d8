//go:build !darwin && !linux

package disk

import "errors"

func renameNew(_, _ string) error { return errors.ErrUnsupported }
