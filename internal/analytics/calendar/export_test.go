package calendar

// Zones returns the number of known zones.
func Zones() int { return len(zones()) }
