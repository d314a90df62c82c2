package effect

import (
	"testing"

	"github.com/stretchr/testify/require"

	effects "github.com/reelgraph/reelgraph/internal/video/effect"
)

// Effects of every kind can be created and changed, and name sources if the kind has some.
func TestEveryKindHasAMaker(t *testing.T) {
	t.Parallel()

	require.Len(t, makers, len(effects.All()))

	for _, k := range effects.All() {
		require.NotNil(t, makers[k.Name].begin, k.Name)
		require.NotNil(t, makers[k.Name].alter, k.Name)
		require.Equal(t, k.Sources != nil, makers[k.Name].source != nil, k.Name)
	}
}
