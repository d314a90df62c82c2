// The two documents as one would serve them with Node: graphql-jit compiles a document once, resolvers query Postgres
// through pg, and dataloader reads each list of all videos in one statement.
//
// node server.mjs DATABASE_URL PORT CONNECTIONS GATE ARGUMENT...
//
// GATE is the product's statement that looks up a key and counts a request, followed by its arguments after the key and
// the address. It runs first in every request.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import DataLoader from "dataloader";
import { buildSchema, parse, validate } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import pg from "pg";

const [connectionString, port, connections, gate, ...counts] = process.argv.slice(2);

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const pool = new pg.Pool({ connectionString, max: Number(connections) });
const counter = new pg.Pool({ connectionString, max: 8 });

const schema = buildSchema(`
  scalar DateTime
  enum ExportStatus { QUEUED PROCESSING COMPLETED FAILED CANCELED }
  type Tag { id: ID! name: String! }
  type Export { id: ID! status: ExportStatus! progress: Int! createdAt: DateTime! updatedAt: DateTime! }
  type Tags { nodes: [Tag!]! }
  type Exports { nodes: [Export!]! }
  type Video {
    id: ID! name: String! description: String! createdAt: DateTime! updatedAt: DateTime!
    durationMs: Int! views: Int! revision: Int!
    exports(first: Int!): Exports!
    tags(first: Int!): Tags!
  }
  type Videos { nodes: [Video!]! }
  type Query { video(id: ID!): Video videos(first: Int!): Videos! }
`);

schema.getType("DateTime").serialize = (at) => at.toISOString();

const columns = `id, name, description, created_at AS "createdAt", updated_at AS "updatedAt", duration_ms AS "durationMs", views, revision`;
const readable = `workspace_id = $1 AND (visibility = 'org' OR user_id = $2
  OR EXISTS (SELECT FROM collaborators c WHERE c.video_id = videos.id AND c.user_id = $2))`;

const ask = async (name, text, values) => (await pool.query({ name, text, values })).rows;

// below reads a list of several videos at once.
function below(name, text) {
  return (who, first) =>
    new DataLoader(async (ids) => {
      const rows = await ask(name, text, [who.workspaceId, ids, first]);
      const lists = Map.groupBy(rows, (row) => row.above);
      return ids.map((id) => ({ nodes: lists.get(id) ?? [] }));
    });
}

const exportsBelow = below(
  "exports",
  `SELECT above.id AS above, e.id, upper(e.status) AS status, e.progress, e.created_at AS "createdAt", e.updated_at AS "updatedAt"
   FROM unnest($2::text[]) AS above (id), LATERAL (
     SELECT * FROM exports WHERE video_id = above.id AND workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT $3) e
   ORDER BY e.created_at DESC, e.id DESC`,
);
const tagsBelow = below(
  "tags",
  `SELECT above.id AS above, t.id, t.name
   FROM unnest($2::text[]) AS above (id), LATERAL (
     SELECT tags.* FROM video_tags JOIN tags ON tags.id = video_tags.tag_id
     WHERE video_tags.video_id = above.id AND video_tags.workspace_id = $1 ORDER BY tags.name_key, tags.id LIMIT $3) t
   ORDER BY t.name_key, t.id`,
);

const loaderOf = (context, of, first) => {
  const key = `${of.name}:${first}`;
  return (context.loaders[key] ??= of.load(context.who, first));
};

schema.getQueryType().getFields().video.resolve = async (_, { id }, { who }) =>
  (await ask("video", `SELECT ${columns} FROM videos WHERE ${readable} AND id = $3`, [who.workspaceId, who.userId, id]))[0];
schema.getQueryType().getFields().videos.resolve = async (_, { first }, { who }) => ({
  nodes: await ask(
    "videos",
    `SELECT ${columns} FROM videos WHERE ${readable} ORDER BY videos.updated_at DESC, videos.id DESC LIMIT $3`,
    [who.workspaceId, who.userId, first],
  ),
});

for (const [name, load] of Object.entries({ exports: exportsBelow, tags: tagsBelow })) {
  schema.getType("Video").getFields()[name].resolve = ({ id }, { first }, context) =>
    loaderOf(context, { name, load }, first).load(id);
}

async function admit(req) {
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

const compiled = new Map();

function compile(text) {
  let query = compiled.get(text);
  if (!query) {
    const document = parse(text);
    const errors = validate(schema, document);
    if (errors.length > 0) throw errors[0];
    query = compileQuery(schema, document);
    if (!isCompiledQuery(query)) throw query.errors[0];
    compiled.set(text, query);
  }
  return query;
}

createServer(async (req, res) => {
  let status = 200;
  let body;
  try {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    const who = await admit(req);
    const { query, variables } = JSON.parse(Buffer.concat(chunks).toString());
    const { query: run, stringify } = compile(query);
    body = stringify(await run(undefined, { who, loaders: {} }, variables ?? {}));
  } catch (error) {
    status = 500;
    body = JSON.stringify({ errors: [{ message: error.message }] });
  }
  res.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  res.end(body);
}).listen(Number(port), "127.0.0.1");
