package values

// TagScope says who can see a tag.
type TagScope string

// The values of TagScope.
const (
	TagScopeWorkspace TagScope = "workspace"
	TagScopePrivate   TagScope = "private"
)

// Values lists every TagScope, as stored and as on the wire.
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

// Values lists every LibraryScope, as stored and as on the wire.
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

// Values lists every LibraryType, as stored and as on the wire.
func (LibraryType) Values() []string {
	return values(LibraryTypeImage, LibraryTypeVideo, LibraryTypeSoundEffect, LibraryTypeMusic)
}

// CatalogType is the purpose of a generated default item.
type CatalogType string

// The values of CatalogType.
const (
	CatalogTypeBackground         CatalogType = "background"
	CatalogTypeAnimatedBackground CatalogType = "animated-background"
	CatalogTypeSoundEffect        CatalogType = "sound-effect"
	CatalogTypeMusic              CatalogType = "music"
)

// Values lists every CatalogType, as stored and as on the wire.
func (CatalogType) Values() []string {
	return values(CatalogTypeBackground, CatalogTypeAnimatedBackground, CatalogTypeSoundEffect, CatalogTypeMusic)
}
