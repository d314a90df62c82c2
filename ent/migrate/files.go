package migrate

import "embed"

// Files contains the versioned migrations and their checksum file, sorted by file name.
//
//go:embed migrations
var Files embed.FS
