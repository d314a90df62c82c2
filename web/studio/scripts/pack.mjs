// Compresses what Vite built, as the server sends it, and checks how large it is. A file that compression does not make
// smaller, such as a font, stays alone.
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const dir = "dist/assets";
const packed = {};

for (const name of readdirSync(dir).sort()) {
  const content = readFileSync(`${dir}/${name}`);
  const gzip = gzipSync(content, { level: 9 });
  gzip[9] = 255; // the operating system, which would make builds differ
  packed[name] = gzip.length;
  if (!/\.(js|css|svg)$/.test(name)) continue;
  writeFileSync(`${dir}/${name}.gz`, gzip);
  writeFileSync(`${dir}/${name}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }));
}

// The scripts and styles that the page names itself, and those of the first screen, are loaded before a click.
const manifest = JSON.parse(readFileSync("dist/.vite/manifest.json", "utf8"));
const chunks = Object.values(manifest);
const entry = chunks.find((chunk) => chunk.isEntry);
const named = (pattern) => chunks.filter((chunk) => pattern.test(chunk.src ?? chunk.name ?? ""));
const files = (chunk, seen = new Set()) => {
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file);
  for (const next of chunk.imports ?? []) if (!seen.has(manifest[next].file)) files(manifest[next], seen);
  return seen;
};
const size = (names) => [...names].filter((file) => file.endsWith(".js")).reduce((sum, file) => sum + packed[file.replace("assets/", "")], 0);

const KiB = 1024;
const first = new Set([...files(entry), ...named(/library\/Library\.tsx$/).flatMap((chunk) => [...files(chunk)])]);
for (const name of Object.keys(packed)) if (name.startsWith("first-")) first.add(`assets/${name}`);
const limits = [["shell and library", size(first), 110 * KiB]];
for (const chunk of chunks.filter((chunk) => chunk.isDynamicEntry && /src\/(library|changes|playlists|uploads)\//.test(chunk.src ?? ""))) {
  limits.push([chunk.src, size([...files(chunk)].filter((file) => !first.has(file))), 25 * KiB]);
}

for (const [what, bytes, limit] of limits) {
  console.log(`studio: ${what}: ${(bytes / KiB).toFixed(1)} of at most ${limit / KiB} KiB of JavaScript (gzip)`);
  if (bytes > limit) {
    console.error(`studio: ${what} has become too large`);
    process.exitCode = 1;
  }
}

rmSync("dist/.vite", { recursive: true });
