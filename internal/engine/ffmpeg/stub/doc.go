// Package stub lets a program start without most of the shared libraries that it is linked with.
//
// FFmpeg as distributions build it loads some two hundred, for devices, networks and codecs of every kind. That is most of
// what a short run costs, and code that hostile bytes could reach. A folder of stubs, named in LD_LIBRARY_PATH, stands in for
// all but those on a list: the names are there, and each function returns zero. The rest is the system's own, and so
// is the program.
package stub
