// Package chaos breaks a running product and checks that it kept its promises. It kills the process at random moments
// of a mixed workload, cuts off the database in several ways, and compares what was acknowledged with what is stored.
// Start reading at Kill, Faults and Stop.
package chaos
