package rest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// missing is the number of operations without a route. It may only shrink.
const missing = 0

// Every route matches an operation of the contract: method, path and operationId.
func TestRowsAreOperationsOfTheContract(t *testing.T) {
	t.Parallel()

	table, err := os.ReadFile("testdata/operations.tsv")
	require.NoError(t, err)

	operations := map[string]string{}

	for line := range strings.Lines(string(table)) {
		id, route, found := strings.Cut(strings.TrimSpace(line), "\t")
		require.True(t, found, line)
		require.NotContains(t, operations, id)

		operations[id] = route
	}

	delete(operations, "operationId") // the heading

	all := len(operations)
	rows := rowsByOperation()

	for id, route := range rows {
		require.Equal(t, operations[id], route, id)
	}

	require.LessOrEqual(t, all-len(rows), missing, "a route is missing")
	require.Equal(t, missing, all-len(rows), "fewer are missing: lower this constant")
}
