// Package account keeps people signed in while they use a browser: the cookie of a session and when it is
// believed, and how often a password may be guessed.
//
// A cookie is sent by a browser whoever made it ask, so it counts only for what our own pages ask:
//
//   - Sec-Fetch-Site, where a browser says it, must be same-origin;
//   - Origin, where a browser says it, must be ours: that of REELGRAPH_BASE_URL or one of REELGRAPH_ORIGINS, or a name of this
//     machine with the port that the request came in by. Where it is not said, the request must have been sent to one of these;
//   - a request that says neither must carry the header X-Reelgraph-Client, which no other page can
//     have a browser send without our leave, and we give none.
//
// Besides, the graph reads bodies of the type application/json alone, and the cookie is SameSite=Lax. A page that
// only reads is shown to whoever holds the cookie, whoever had it opened: see Reading.
package account
