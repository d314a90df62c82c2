// PostGraphile 5 as its documentation sets it up: the Amber preset over node:http, no development aids.
//
//   node server.mjs DATABASE_URL PORT CONNECTIONS
import { createServer } from "node:http";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";

const [connectionString, port, connections] = process.argv.slice(2);

const server = createServer();
const served = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: ["public"], poolConfig: { max: Number(connections) } })],
  grafserv: { graphqlPath: "/graphql", graphiql: false, watch: false },
  grafast: { explain: false },
}).createServ(grafserv);

await served.addTo(server);
server.listen(Number(port), "127.0.0.1");
