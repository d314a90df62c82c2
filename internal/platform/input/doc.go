// Package input defines and checks the rules for request bodies and queries. The rules are written once, as struct tags
// on the input types. REST, GraphQL and the generator of the API description all use them.
//
// A property is an exported field. Its json tag is its name in JSON. Its Go type determines its possible states:
//
//	T                               a plain value: the zero value, or its default, when absent
//	*T, []T                         nil when absent
//	graphql.Omittable[*T], […][]T   absent, null, or a value
//
// The grammar of the check tag is a comma list of rules:
//
//	required           the property must be given
//	nullable           null is accepted; without it null is refused
//	notblank           a string of white space only is refused
//	chars=1..255       length of a string in code points after NFC; either end may be left out
//	items=1..200       length of a list; either end may be left out
//	min=0 max=100      bounds of a number, inclusive
//	gt=0 lt=1          bounds of a number, exclusive
//	url                an absolute http or https address
//	email              one e-mail address
//	color              #RGB, #RRGGBB or #RRGGBBAA
//	oneof=a|b          one of these strings; types with Values() []string do not need this rule
//	some               on a blank field (_ struct{}): at least one property must be given
//	variant=type       on a blank field: the value has one of several types. The property of this name (type)
//	                   contains the name of the type. Each type has a pointer field tagged variant:"NAME"
//
// An each tag contains rules for the items of a list, in the same grammar. A default tag contains the value of an absent
// plain property. Rules that tags cannot express are in a method of the type (see Checker).
//
// Every accepted string is valid UTF-8, is stored in NFC, and does not contain U+0000, which the database cannot store.
package input
