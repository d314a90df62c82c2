// Package doctor checks what the server needs: programs, fonts, folders, ports, and the services that the settings name.
// Examine looks and changes nothing; Report prints what it found.
package doctor
