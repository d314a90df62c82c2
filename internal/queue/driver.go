package queue

import (
	"database/sql"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
)

// listeningDriver is River's database/sql driver with a listener, which that driver lacks: without
// one a job waits for the next poll, and a running job cannot be canceled from elsewhere.
//
// River says of these interfaces that they are not stable. All its modules are therefore
// pinned to one version, and a test holds the behaviour.
type listeningDriver struct {
	*riverdatabasesql.Driver

	db     *sql.DB
	dsn    string
	shares map[string]int // of each fair queue
}

func newDriver(db *sql.DB, dsn string, shares map[string]int) *listeningDriver {
	return &listeningDriver{Driver: riverdatabasesql.New(db), db: db, dsn: dsn, shares: shares}
}

// GetExecutor implements riverdriver.Driver.
func (d *listeningDriver) GetExecutor() riverdriver.Executor {
	return &fairExecutor{Executor: d.Driver.GetExecutor(), db: d.db, shares: d.shares}
}

// SupportsListener implements riverdriver.Driver.
func (*listeningDriver) SupportsListener() bool { return true }

// GetListener implements riverdriver.Driver.
func (d *listeningDriver) GetListener(params *riverdriver.GetListenenerParams) riverdriver.Listener {
	return &listener{db: d.db, dsn: d.dsn, schema: params.Schema}
}
