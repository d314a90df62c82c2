// Package limits bounds what one document may ask of the graph: how it is written, so that reading
// and validating it is cheap, and how much work it stands for, so that answering it is. Everything
// here takes time linear in the document, however its fragments are knotted.
package limits

// The limits of the contract.
const (
	MaxTokens     = 5_000
	MaxDepth      = 15
	MaxAliases    = 30 // aliased or repeated fields of one level
	MaxComplexity = 10_000
)

// MaxText bounds a document in bytes; what is long belongs into variables.
const MaxText = 64 << 10

// Limits that go without saying: nobody meets them who writes documents to be answered.
const (
	// maxName bounds names: each unknown one is compared with all that might have been meant.
	maxName = 256
	// maxSpreads bounds the fragments, named and inline, of one level.
	maxSpreads = 100
	// maxIntrospectionDepth leaves room for nine levels of ofType below an argument.
	maxIntrospectionDepth = 20
	// maxIntrospection bounds the fields of an answer about the schema. What GraphiQL asks when it
	// opens is a quarter of it.
	maxIntrospection = 800_000
	// maxErrors is how many faults of a document are reported at once.
	maxErrors = 20
)
