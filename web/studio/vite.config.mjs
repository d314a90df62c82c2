import { defineConfig } from "vite";

import { first } from "./scripts/first.mjs";

// The server that the development server forwards the graph, uploads and media to. It must list the development server's
// address in REELGRAPH_ORIGINS.
const server = process.env.REELGRAPH ?? "http://127.0.0.1:8080";
const forwarded = ["/graphql", "/uploads", "/media", "/stills", "/watch", "/downloads", "/video/", "/player/", "/sign-in", "/sign-out", "/favicon.ico"];

export default defineConfig(({ command }) => ({
  base: command === "build" ? "/studio/" : "/",
  plugins: [first()],
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0, // data: addresses would violate the Content-Security-Policy
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
  },
  css: { modules: { generateScopedName: "[local]_[hash:base64:3]" } },
  server: { fs: { allow: [".."] }, proxy: Object.fromEntries(forwarded.map((path) => [path, { target: server, ws: true }])) },
  test: { include: ["src/**/*.test.ts"] },
}));
