package calendar

// Zones is how many zones are known.
func Zones() int { return len(zones()) }
