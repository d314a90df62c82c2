package transfer_test

import (
	"testing"

	"github.com/reelgraph/reelgraph/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }
