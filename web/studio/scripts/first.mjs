// A plugin of Vite: a small script beside the large one, which asks the server at once for what the first screen shows, and
// loads the part that draws it. src/graph/client.ts takes the answers. What it words in another way is asked twice; the test
// TestFirstQuestions notices.
import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";

export const first = () => ({
  name: "first",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle }) {
      const library = Object.values(bundle).find((chunk) => chunk.facadeModuleId?.endsWith("/library/Library.tsx"));
      const entry = Object.values(bundle).find((chunk) => chunk.isEntry);
      const scripts = [library.fileName, ...library.imports].filter((name) => name !== entry.fileName && !entry.imports.includes(name));
      const { always, library: there } = JSON.parse(readFileSync("src/graph/made/first.json", "utf8"));
      const source = `(()=>{const f=globalThis.first??=new Map,h=${JSON.stringify({ "content-type": "application/json", accept: "application/graphql-response+json, application/json" })};if(f.late)return;
const here=location.pathname=="/"&&!location.search,ask=(b)=>f.set(b,fetch("/graphql",{method:"POST",headers:h,body:b}).catch(()=>{}));
${JSON.stringify(always)}.forEach(ask);if(here){${JSON.stringify(there)}.forEach(ask);for(const s of ${JSON.stringify(scripts)}){const l=document.createElement("link");l.rel="modulepreload";l.href="/studio/"+s;document.head.append(l)}}})()`;
      const fileName = `assets/first-${createHash("sha256").update(source).digest("base64url").slice(0, 8)}.js`;
      this.emitFile({ type: "asset", fileName, source });
      return { html, tags: [{ tag: "script", attrs: { async: true, src: `/studio/${fileName}` }, injectTo: "head-prepend" }] };
    },
  },
});
