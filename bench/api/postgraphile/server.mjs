// PostGraphile 5 as its documentation sets it up: the Amber preset over node:http, without development aids.
//
// node server.mjs DATABASE_URL PORT CONNECTIONS [GATE ARGUMENT...]
//
// With GATE, the product's statement that looks up a key and counts a request, and its arguments after the key and the
// address, it runs that first and refuses requests without a key or budget.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";

const [connectionString, port, connections, gate, ...counts] = process.argv.slice(2);
const counter = gate && new pg.Pool({ connectionString, max: 8 });

async function admit({ node: { req } }) {
  const key = (req.headers.authorization ?? "").replace(/^Bearer /, "");
  const hash = createHash("sha256").update(key).digest();
  const { rows } = await counter.query({
    name: "gate",
    rowMode: "array",
    text: gate,
    values: [hash, `ip:${req.socket.remoteAddress}`, ...counts],
  });
  const [, , userId, workspaceId, , , , before, used] = rows[0];
  if (!userId || before >= used) throw new Error("refused");
  return { userId, workspaceId };
}

const server = createServer();
const served = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: ["public"], poolConfig: { max: Number(connections) } })],
  grafserv: { graphqlPath: "/graphql", graphiql: false, watch: false },
  grafast: { explain: false, ...(gate && { context: admit }) },
}).createServ(grafserv);

await served.addTo(server);
server.listen(Number(port), "127.0.0.1");
