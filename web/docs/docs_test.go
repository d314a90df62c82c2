package docs_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/web/docs"
)

// The docsUrl of every error leads to a place that exists.
func TestEveryCodeHasItsPlace(t *testing.T) {
	t.Parallel()

	answer := httptest.NewRecorder()
	docs.Handler(http.NotFoundHandler()).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/docs/errors", nil))
	require.Equal(t, http.StatusOK, answer.Code)

	for _, code := range []fault.Code{
		fault.BadRequestCode, fault.UnauthorizedCode, fault.ForbiddenCode, fault.NotFoundCode, fault.ConflictCode,
		fault.EditConflictCode, fault.RateLimitedCode, fault.ServerErrorCode, fault.NotImplementedCode, fault.UnavailableCode,
	} {
		require.Contains(t, answer.Body.String(), `id="`+string(code)+`"`)
	}
}

func TestOtherPagesAreSomebodyElses(t *testing.T) {
	t.Parallel()

	for path, status := range map[string]int{"/docs/versioning": 200, "/docs": 404, "/docs/errors/": 404} {
		answer := httptest.NewRecorder()
		docs.Handler(http.NotFoundHandler()).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		require.Equal(t, status, answer.Code, path)
	}
}
