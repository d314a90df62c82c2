package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// dataMark is the file that makes a folder a data folder of ours.
const dataMark = "reelgraph-data"

// errForeignFolder says that a folder holds what this program did not put there. It stays untouched.
var errForeignFolder = errors.New("it is not empty and no data folder of Reelgraph")

// claimDataFolder makes the data folder, or checks that it is ours and can be written. Every command
// that writes there calls it first.
func claimDataFolder(dir string) error {
	if err := claim(dir); err != nil {
		return fmt.Errorf("data folder %s: %w; choose another with REELGRAPH_DATA", dir, err)
	}
	return nil
}

func claim(dir string) error {
	marked, err := inspectDataFolder(dir)
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
	return os.WriteFile(filepath.Join(dir, dataMark), []byte("This is a data folder of Reelgraph.\n"), 0o600)
}

// inspectDataFolder reports whether the folder bears our mark, and refuses one that is somebody
// else's. One that is empty or does not exist is fine, and not marked.
func inspectDataFolder(dir string) (marked bool, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	foreign := false
	for _, e := range entries {
		if e.Name() == dataMark {
			return true, nil
		}
		foreign = foreign || e.Name() != "lost+found" // which every new disk holds
	}
	if foreign {
		return false, errForeignFolder
	}
	return false, nil
}
