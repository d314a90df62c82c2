package media

import "context"

// LookUpOrigin is where a file's time begins when nobody has noted it.
func (t Tools) LookUpOrigin(ctx context.Context, path string, info Info) (Origin, error) {
	info.Origin = nil

	return t.origin(ctx, Source{Path: path, Info: info})
}
