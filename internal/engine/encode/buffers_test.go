package encode

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// A slow reader gets every picture as it was when it was sent, although pictures are not copied and the next one is
// painted at once. The sizes are both smaller and larger than a pipe.
func TestPicturesArriveAsTheyWereSent(t *testing.T) {
	t.Parallel()

	for _, size := range []plan.Size{{Width: 64, Height: 36}, {Width: 836, Height: 836}, {Width: 838, Height: 836}, {Width: 1920, Height: 1080}} {
		const frames = 40

		from, to, err := bigPipe()
		require.NoError(t, err)

		pictures, err := newFrameBuffers(size)
		require.NoError(t, err)

		var group errgroup.Group

		group.Go(func() error {
			defer to.Close()

			for n := range frames {
				picture := pictures.next()
				copy(picture.raw, bytes.Repeat([]byte{byte(n + 1)}, len(picture.raw)))

				if err := picture.send(to); err != nil {
					return err
				}
			}

			return nil
		})

		got := make([]byte, size.Width*size.Height*3/2)

		for n := range frames {
			// Odd read sizes leave the end of a picture in the pipe while the next one is painted.
			for at := 0; at < len(got); {
				k, err := from.Read(got[at:min(at+77_777, len(got))])
				require.NoError(t, err)

				at += k
			}

			require.Equal(t, len(got), bytes.Count(got, []byte{byte(n + 1)}), "frame %d of %v", n, size)
		}

		_, err = from.Read(got)
		require.ErrorIs(t, err, io.EOF)
		require.NoError(t, from.Close())
		require.NoError(t, group.Wait())
		runtime.KeepAlive(pictures)
	}
}
