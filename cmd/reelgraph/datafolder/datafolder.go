// Package datafolder marks the folder that holds a server's data, so that the program does not write to a wrong
// folder by mistake.
package datafolder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Mark is the file that marks a data folder.
const Mark = "reelgraph-data"

// ErrForeign reports that the folder holds files of other programs. The folder is not changed.
var ErrForeign = errors.New("it is not empty and is not a Reelgraph data folder")

// Claim creates the data folder, or checks that it is marked and writable. Every command that writes to the data
// folder calls Claim first.
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

// Inspect reports whether the folder has the mark of a data folder. It returns ErrForeign if the folder holds other
// files. An empty or missing folder is valid and has no mark.
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

		foreign = foreign || e.Name() != "lost+found" // every new disk contains it
	}

	if foreign {
		return false, ErrForeign
	}

	return false, nil
}
