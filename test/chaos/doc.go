// Package chaos breaks a running product and finds out whether it kept its promises: it kills the
// process at random moments of a mixed workload, takes the database away in every way that happens,
// and then compares what was acknowledged with what is there.
package chaos
