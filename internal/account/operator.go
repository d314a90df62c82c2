package account

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// Operators protects pages that only operators may see. An operator is an owner of the first workspace who is signed
// in to that workspace. The protected pages show data of all workspaces, so owners of other workspaces must not see
// them.
type Operators struct {
	Cookies Cookies
	DB      *sql.DB
	Refuse  middleware.RefuseFunc
}

// Handler lets operators through to next and refuses all other requests with 401 or 403. It does not use the API
// budget. A request without a session causes no database query, and a request with an invalid session causes one
// cheap query.
func (o Operators) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := o.admit(r); err != nil {
			o.Refuse(w, r, err)

			return
		}

		next.ServeHTTP(w, r)
	})
}

func (o Operators) admit(r *http.Request) error {
	token := o.Cookies.Reading(r)
	if token == "" {
		return cmp.Or(o.Cookies.Lack(r), error(fault.Unauthorized()))
	}

	var rules bool

	err := o.DB.QueryRowContext(r.Context(), operatorSQL, auth.HashKey(token)).Scan(&rules)

	switch {
	case errors.Is(err, sql.ErrNoRows):
		return fault.Unauthorized()
	case err != nil:
		return fault.Unavailable(time.Second).Because(fmt.Errorf("find session: %w", err))
	case !rules:
		return fault.Forbidden("Only owners of the first workspace who are signed in to it may see this.")
	default:
		return nil
	}
}

const operatorSQL = `
SELECT m.role = 'owner' AND s.workspace_id = (SELECT id FROM workspaces ORDER BY created_at, id LIMIT 1)
FROM sessions s
JOIN memberships m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id
WHERE s.token_hash = $1 AND s.expires_at > now()`
