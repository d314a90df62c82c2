import { defineConfig } from "vite";

// One script and one style sheet with fixed names; the server adds content hashes to their addresses.
export default defineConfig({
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: false,
    cssCodeSplit: false,
    rollupOptions: {
      input: "src/main.ts",
      output: { entryFileNames: "player.js", assetFileNames: "player[extname]", inlineDynamicImports: true },
    },
  },
});
