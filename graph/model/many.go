package model

// NamedIDs are the ids that an operation on several objects is given.
type NamedIDs struct {
	IDs []string `json:"ids" check:"items=1..100"`
}
