// Package certs provides the certificates of HTTPS: from an ACME authority such as Let's Encrypt, which Manager asks, or from
// the operator's files, which Files reads.
package certs
