// Package limits restricts the GraphQL documents that the graph accepts. Limits on the form of a document make
// parsing and validation cheap. A limit on its cost makes execution cheap. All checks take time linear in the size of
// the document, even with nested fragments.
package limits

// The limits in the contract.
const (
	MaxTokens     = 5_000
	MaxDepth      = 15
	MaxAliases    = 30 // aliased or repeated fields on one level
	MaxComplexity = 10_000
)

// MaxText is the maximum length of a document in bytes. Clients should send long values as variables.
const MaxText = 64 << 10

// Limits that ordinary documents never reach.
const (
	// maxName is the longest name. Each unknown name is compared with all known ones to suggest a correction.
	maxName = 256
	// maxSpreads is the largest number of fragments, named and inline, on one level.
	maxSpreads = 100
	// maxIntrospectionDepth allows nine levels of ofType below an argument.
	maxIntrospectionDepth = 20
	// maxIntrospection is the largest number of fields in an introspection response. The query that GraphiQL sends on
	// opening needs a quarter of it.
	maxIntrospection = 800_000
	// maxErrors is how many errors of a document are reported at once.
	maxErrors = 20
)
