package selection

// Fields selects fields without subfields.
func Fields(names ...string) Tree {
	t := Tree{said: make([]Node, len(names))}
	for i, name := range names {
		t.said[i] = Node{Name: name}
	}

	return t
}

// Nodes selects fields with their arguments and subfields.
func Nodes(nodes ...Node) Tree { return Tree{said: nodes} }

// Under adds a field with its subfields.
func (t Tree) Under(name string, wanted Tree) Tree { return t.UnderWith(name, nil, wanted) }

// UnderWith adds a field with arguments and subfields.
func (t Tree) UnderWith(name string, args map[string]any, wanted Tree) Tree {
	return t.And(Tree{said: []Node{{Name: name, Args: args, Tree: wanted}}})
}

// Page selects the items of a connection and the end of the page, which is all that a REST list needs.
func Page(items Tree) Tree {
	return Tree{}.Under("nodes", items).Under("pageInfo", Fields("hasNextPage", "endCursor"))
}
