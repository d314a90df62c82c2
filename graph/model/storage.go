package model

// Storage is what a workspace stores.
type Storage struct {
	LimitBytes  *int64 // nil means no limit
	SourceBytes int64
	ExportBytes int64
}

// Bytes returns the number of all bytes that count toward the limit.
func (s *Storage) Bytes() int64 { return s.SourceBytes + s.ExportBytes }
