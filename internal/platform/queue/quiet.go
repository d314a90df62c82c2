package queue

import (
	"context"
	"encoding/json"
)

// quietKey is the metadata key of a quiet job. It is stored in the database.
const quietKey = "quiet"

type quiet struct{}

// Quietly returns a context in which nothing is announced: events cause no webhooks. Jobs that are inserted in it are
// quiet too, and so is what they insert.
func Quietly(ctx context.Context) context.Context { return context.WithValue(ctx, quiet{}, true) }

// IsQuiet reports whether nothing is announced in the context.
func IsQuiet(ctx context.Context) bool {
	is, _ := ctx.Value(quiet{}).(bool)

	return is
}

// Metadata returns the metadata of a job that is inserted in the context for a workspace. The workspace is empty for a
// job of the server. Metadata returns nil if there is nothing to store.
func Metadata(ctx context.Context, workspaceID string) []byte {
	all := map[string]any{}
	if workspaceID != "" {
		all[workspaceKey] = workspaceID
	}

	if IsQuiet(ctx) {
		all[quietKey] = true
	}

	if len(all) == 0 {
		return nil
	}

	metadata, err := json.Marshal(all)
	if err != nil {
		panic(err) // such a map always encodes
	}

	return metadata
}

// asInserted makes the context of a job quiet if the job was inserted in a quiet one.
func asInserted(ctx context.Context, metadata []byte) context.Context {
	var stored map[string]json.RawMessage
	if json.Unmarshal(metadata, &stored) == nil && string(stored[quietKey]) == "true" {
		return Quietly(ctx)
	}

	return ctx
}
