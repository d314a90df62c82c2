// Package datafolder marks the folder that holds the data of a server, so that no other folder is written to by mistake.
package datafolder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Mark is the file that makes a folder a data folder of ours.
const Mark = "reelgraph-data"

// ErrForeign says that a folder holds what this program did not put there. It stays untouched.
var ErrForeign = errors.New("it is not empty and is not a Reelgraph data folder")

// Claim makes the data folder, or checks that it is ours and can be written. Every command
// that writes there calls it first.
func Claim(dir string) error {
	if err := prepare(dir); err != nil {
		return fmt.Errorf("data folder %s: %w; choose another with REELGRAPH_DATA", dir, err)
	}

	return nil
}

func prepare(dir string) error {
	marked, err := Inspect(dir)
	if err != nil {
		return err
	}

	if marked {
		probe, err := os.CreateTemp(dir, ".writable-")
		if err != nil {
			return err
		}

		return errors.Join(probe.Close(), os.Remove(probe.Name()))
	}

	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}

	return os.WriteFile(filepath.Join(dir, Mark), []byte("This is a Reelgraph data folder.\n"), 0o600)
}

// Inspect reports whether the folder bears our mark, and refuses one that is somebody
// else's. One that is empty or does not exist is fine, and not marked.
func Inspect(dir string) (marked bool, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}

	if err != nil {
		return false, err
	}

	foreign := false

	for _, e := range entries {
		if e.Name() == Mark {
			return true, nil
		}

		foreign = foreign || e.Name() != "lost+found" // which every new disk holds
	}

	if foreign {
		return false, ErrForeign
	}

	return false, nil
}
