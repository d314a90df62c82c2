package audio_test

import (
	"os"
	"testing"

	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

func TestMain(m *testing.M) { os.Exit(rendering.Main(m)) }
