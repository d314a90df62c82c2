package migrate

import "embed"

// Files are the versioned migrations and their checksum, in the order of their names.
//
//go:embed migrations
var Files embed.FS
