// Writes the typed documents: for each folder of src with *.graphql files, src/FOLDER/made/graphql.ts. The types of a
// folder are its own, so that a screen's documents are loaded with the screen. Also writes src/graph/made/keyless.ts, the
// object types without an id, which the cache keeps inside their parents, and first.json, the questions of the first screen.
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync, mkdirSync } from "node:fs";
import { generate } from "@graphql-codegen/cli";
import { formatDocument, stringifyDocument } from "@urql/core";
import { buildSchema, isObjectType } from "graphql";

const schema = "../../docs/schema.graphqls";
const folders = readdirSync("src").filter((name) => statSync(`src/${name}`).isDirectory() && readdirSync(`src/${name}`).some((file) => file.endsWith(".graphql")));

const config = {
  documentMode: "documentNode",
  enumsAsTypes: true,
  enumType: "string-literal",
  useTypeImports: true,
  strictScalars: true,
  scalars: { ID: "string", SafeInt: "number", DateTime: "string", URL: "string", Color: "string", JSON: "unknown" },
};

await generate(
  {
    schema,
    silent: true,
    generates: Object.fromEntries(
      folders.map((name) => [`src/${name}/made/`, { preset: "client", documents: `src/${name}/*.graphql`, presetConfig: { fragmentMasking: false }, config }]),
    ),
  },
  true,
);

// Documents are imported by name. The preset's map of all documents would put them all into one chunk.
for (const name of folders) for (const file of ["gql.ts", "index.ts"]) rmSync(`src/${name}/made/${file}`, { force: true });

const types = Object.values(buildSchema(readFileSync(schema, "utf8")).getTypeMap());
const keyless = types.filter((type) => isObjectType(type) && !type.name.startsWith("__") && !type.getFields().id && !["Query", "Mutation", "Subscription"].includes(type.name));
mkdirSync("src/graph/made", { recursive: true });
writeFileSync(
  "src/graph/made/keyless.ts",
  `// The object types without an id. Written by scripts/codegen.mjs.\nexport const keyless = [\n${keyless.map((type) => `  "${type.name}",\n`).sort().join("")}];\n`,
);

// As urql words them, for scripts/first.mjs.
const question = (document, variables = {}) =>
  JSON.stringify({ operationName: document.definitions[0].name.value, query: stringifyDocument(formatDocument(document)), variables });
const shell = await import("../src/app/made/graphql.ts");
const library = await import("../src/library/made/graphql.ts");
const videos = { after: null, filter: {}, first: 30, sort: { direction: "DESC", field: "UPDATED_AT" } };
writeFileSync(
  "src/graph/made/first.json",
  `${JSON.stringify({ always: [question(shell.ShellDocument), question(shell.SidebarDocument)], library: [question(library.VideosDocument, videos)] }, null, 2)}\n`,
);
