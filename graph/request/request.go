// Package request carries what belongs to a request as a whole and to none of its arguments.
package request

import "context"

type ifMatchKey struct{}

// WithIfMatch returns a context whose edits require the video to be at that revision.
func WithIfMatch(ctx context.Context, revision int64) context.Context {
	return context.WithValue(ctx, ifMatchKey{}, revision)
}

// IfMatch is the revision that edits require; false when any will do.
func IfMatch(ctx context.Context) (int64, bool) {
	revision, set := ctx.Value(ifMatchKey{}).(int64)

	return revision, set
}
