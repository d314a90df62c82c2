// Package doctor checks what the server needs: programs, fonts, folders, ports, and the configured services.
// Examine checks and changes nothing; Report prints the findings.
package doctor
