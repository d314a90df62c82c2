package calendar

import (
	_ "embed"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // embeds the zones, so that they are the same on every machine
)

// zoneNames lists the zones of the IANA database, with their former names. It leaves out Factory, which stands for a zone
// that was not configured, and the other files that systems keep in the same folder.
//
//go:embed zones.txt
var zoneNames string

// zones maps zone names in lower case to their spelling.
var zones = sync.OnceValue(func() map[string]string {
	all := map[string]string{}

	for name := range strings.FieldsSeq(zoneNames) {
		all[strings.ToLower(name)] = name
	}

	return all
})

// Zone returns the time zone with an IANA name. Letter case does not matter. It returns false for an unknown name.
func Zone(name string) (*time.Location, bool) {
	spelled, known := zones()[strings.ToLower(name)]
	if !known {
		return nil, false
	}

	zone, err := time.LoadLocation(spelled)

	return zone, err == nil
}
