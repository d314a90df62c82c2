// Package chaos causes failures in a running product and checks its guarantees. It kills the process at random
// moments of a mixed workload, cuts off the database in several ways, and compares what the product acknowledged with
// what it stored. Start reading at Kill, Faults and Stop.
package chaos
