package film

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
)

// Read reads a video description from a file. An unknown field is an error, and every error names the field.
func Read(path string) (*Film, error) {
	document, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}

	var f Film

	return &f, InSpec(path, invalid(input.Decode(document, &f)))
}

// InSpec returns err with each fault on a line of its own. Every line starts with path, the path of the video
// description.
func InSpec(path string, err error) error {
	public, isPublic := fault.As(err)
	if !isPublic {
		return err
	}

	lines := make([]error, len(public.Fields))
	for i, f := range public.Fields {
		lines[i] = fmt.Errorf("%s: %s", path, f)
	}

	return errors.Join(lines...)
}

// contentOf returns the SHA-256 of a file, in hex.
func contentOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", strconv.Quote(path), err)
	}
	defer func() { _ = f.Close() }()

	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("read %s: %w", strconv.Quote(path), err)
	}

	return hex.EncodeToString(sum.Sum(nil)), nil
}
