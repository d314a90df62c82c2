package rest_test

import (
	"testing"

	"github.com/reelgraph/reelgraph/test/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }
