// Package account is about people: how they sign in and stay signed in while they use a browser, the workspaces they belong to,
// invitations, API keys and lost passwords. The graph, the pages, the commands and the workers share it. Start with SignIn and
// with Cookies.
//
// A cookie is sent by a browser whichever page made it ask, so it counts only for what our own pages ask:
//
//   - Sec-Fetch-Site, where a browser sends it, must be same-origin;
//   - Origin, where a browser sends it, must be ours: that of REELGRAPH_BASE_URL or one of REELGRAPH_ORIGINS, or a name of this
//     machine with the port that the request came in by. Where it is missing, the request must have been sent to one of these;
//   - a request that has neither must carry the header X-Reelgraph-Client, which no other page can
//     have a browser send without our permission, and we give none.
//
// Besides, the graph reads bodies of the type application/json alone, and the cookie is SameSite=Lax. A page that
// only reads is shown to the bearer of the cookie, wherever the link to it was: see Reading.
//
// Functions that take a client of ent read and write across workspaces: call them with a context in which the system is asking.
package account
