// Package account holds the rules of accounts that the graph, the commands and the workers share: the links of
// invitations and password resets, the proof of an address, how many mails with links go out, and which workspace
// is the first.
//
// Its functions read and write across workspaces: call them with a context in which the system is asking.
package account
