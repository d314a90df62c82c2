package values

// TagScope says who can see a tag.
type TagScope string

// The values of TagScope.
const (
	TagScopeWorkspace TagScope = "workspace"
	TagScopePrivate   TagScope = "private"
)

// Values returns every TagScope as it is stored and sent.
func (TagScope) Values() []string {
	return values(TagScopeWorkspace, TagScopePrivate)
}

// LibraryScope is the owner of a library item.
type LibraryScope string

// The values of LibraryScope.
const (
	LibraryScopeDefault   LibraryScope = "default"
	LibraryScopePrivate   LibraryScope = "private"
	LibraryScopeWorkspace LibraryScope = "workspace"
)

// Values returns every LibraryScope as it is stored and sent.
func (LibraryScope) Values() []string {
	return values(LibraryScopeDefault, LibraryScopePrivate, LibraryScopeWorkspace)
}

// LibraryType is the purpose of a library item.
type LibraryType string

// The values of LibraryType.
const (
	LibraryTypeImage       LibraryType = "image"
	LibraryTypeVideo       LibraryType = "video"
	LibraryTypeSoundEffect LibraryType = "sound-effect"
	LibraryTypeMusic       LibraryType = "music"
)

// Values returns every LibraryType as it is stored and sent.
func (LibraryType) Values() []string {
	return values(LibraryTypeImage, LibraryTypeVideo, LibraryTypeSoundEffect, LibraryTypeMusic)
}

// CatalogType is the purpose of a catalog item that the product generates.
type CatalogType string

// The values of CatalogType.
const (
	CatalogTypeBackground         CatalogType = "background"
	CatalogTypeAnimatedBackground CatalogType = "animated-background"
	CatalogTypeSoundEffect        CatalogType = "sound-effect"
	CatalogTypeMusic              CatalogType = "music"
)

// Values returns every CatalogType as it is stored and sent.
func (CatalogType) Values() []string {
	return values(CatalogTypeBackground, CatalogTypeAnimatedBackground, CatalogTypeSoundEffect, CatalogTypeMusic)
}
