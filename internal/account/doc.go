// Package account manages how people sign in and stay signed in with a browser, their workspaces, invitations, API keys and
// password resets. The graph, the pages, the commands and the workers share it. Start with SignIn and Cookies.
//
// A browser sends its cookie to this server even if a page of another site caused the request. Therefore a session
// cookie counts only in requests from this server's own pages:
//
//   - Sec-Fetch-Site, if the browser sends it, must be same-origin;
//   - Origin, if the browser sends it, must be that of REELGRAPH_BASE_URL, one of REELGRAPH_ORIGINS, or a name of this machine
//     with the port on which the request arrived. Without Origin, the request must have been sent to one of these;
//   - a request with neither header must have the header X-Reelgraph-Client. Other pages cannot make a browser send it without
//     this server's permission, which it never gives.
//
// In addition, the graph accepts only bodies of type application/json, and the cookie is SameSite=Lax. A request that
// only reads a page may use the cookie even if the link to the page was on another site: see Cookies.Reading.
//
// Functions that take an ent client read and write across workspaces: call them with a system context.
package account
