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

// Whoever reads slowly still gets every picture as it was when it was sent, although they are not copied and the next
// is painted at once. Pictures of all sizes are sent: smaller ones than a pipe holds, and larger ones.
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
			// In odd pieces, so that the end of a picture stays in the pipe while the next one is painted.
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
