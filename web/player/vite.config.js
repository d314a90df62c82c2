import { defineConfig } from "vite";

// One script and one style sheet, under fixed names: the server names their content in their addresses.
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
