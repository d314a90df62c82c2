package encode

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// pixelsPerByte is how many pixels of a film fit into a byte when little moves: a scrolling page has a byte for some
// 500 pixels. A render that fits by this estimate may still fill the disk, and then fails; one that does not fit is not
// started.
const pixelsPerByte = 1280

// Room estimates the minimum number of bytes that a render of the plan writes: the pieces that the cache does not
// have, the joined films, and the archive of films or files.
func Room(planned plan.Plan, cache DirCache) int64 {
	var bytes int64

	for _, f := range planned.Files {
		bytes += f.Bytes
	}

	for _, o := range planned.Outputs {
		frame := int64(o.Frame.Width) * int64(o.Frame.Height) / pixelsPerByte
		bytes += o.Frames * frame

		if planned.Granularity == plan.Scenes {
			bytes += o.Frames * frame
		}

		for _, c := range o.Chunks {
			if !cache.Has(c.Key + chunkName) {
				bytes += c.Frames * frame
			}
		}
	}

	return bytes
}

// FreeBytes returns how many bytes can still be written to the disk that holds a folder. The folder need not exist
// yet.
func FreeBytes(dir string) (int64, error) {
	_, free, err := DiskBytes(dir)

	return free, err
}

// DiskBytes returns the size of the disk that holds a folder, and how many bytes can still be written to it. The folder
// need not exist yet.
func DiskBytes(dir string) (total, free int64, err error) {
	var st syscall.Statfs_t

	err = syscall.Statfs(dir, &st)
	if above := filepath.Dir(dir); errors.Is(err, fs.ErrNotExist) && above != dir {
		return DiskBytes(above)
	}

	if err != nil {
		return 0, 0, fmt.Errorf("read the free space of %s: %w", dir, err)
	}

	bytes := func(blocks uint64) int64 { return int64(min(blocks*uint64(st.Bsize), 1<<62)) }

	return bytes(st.Blocks), bytes(st.Bavail), nil
}
