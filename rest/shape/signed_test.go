package shape

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/graph/model"
)

func TestUnsignedLeavesTheAnswerSigned(t *testing.T) {
	t.Parallel()

	address, plain := "https://x/y?token=1", "https://x/z"
	background := &model.Background{ImageURL: &address, VideoURL: &plain}

	for _, out := range []Signed{
		VideoOut{Video: videoDetail{
			Exports:    []export{{DownloadURL: &address}, {}},
			Thumbnails: thumbnails{XL: thumbnail{GIF: address, WebP: plain}},
		}},
		ClipOut{Clip: clip{Background: background}},
		ClipOut{},
	} {
		before, err := Encode(out)
		require.NoError(t, err)

		bare, err := Encode(out.Unsigned())
		require.NoError(t, err)
		require.Equal(t, strings.ReplaceAll(string(before), "?token=1", ""), string(bare))

		after, err := Encode(out)
		require.NoError(t, err)
		require.Equal(t, before, after)
	}
}
