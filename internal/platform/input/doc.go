// Package input holds the rules of request bodies and queries: written once, as struct tags on the
// input types, and obeyed by REST, by the graph and by the generator of the API description.
//
// A property is an exported field. Its name on the wire is its json tag. Its states are its type:
//
//	T                               a plain value: the zero value, or its default, when absent
//	*T, []T                         nil when absent
//	graphql.Omittable[*T], […][]T   absent, null, or a value
//
// The grammar of the check tag is a comma list of rules:
//
//	required           the property must be there
//	nullable           null is accepted; without it null is refused
//	notblank           a string of white space only is refused
//	chars=1..255       length of a string in code points after NFC; either end may be left out
//	items=1..200       length of a list; either end may be left out
//	min=0 max=100      bounds of a number, inclusive
//	gt=0 lt=1          bounds of a number, exclusive
//	url                an absolute http or https address
//	email              one e-mail address
//	color              #RGB, #RRGGBB or #RRGGBBAA
//	oneof=a|b          a string out of these; types with Values() []string need no rule for it
//	some               on a blank field (_ struct{}): at least one property must be given
//	variant=type       on a blank field: the value is one of several types, and its property of that
//	                   name says which; each has a pointer field tagged variant with its name
//
// An each tag holds rules for the items of a list, in the same grammar. A default tag holds the
// value of an absent plain property. What tags cannot say, a type says in a method (see Checker).
//
// Every string that passes is stored in NFC, is valid UTF-8 and holds no U+0000, which the
// database cannot store.
package input
