// Bundles the page: dist/page.js and dist/page.css, each without references to anything outside.
//   node build.mjs [FOLDER]
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

await build({
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  entryPoints: { page: "src/main.ts" },
  outdir: process.argv[2] ?? "dist",
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2021"],
  // ASCII only, so that the text survives whatever embeds it.
  charset: "ascii",
  legalComments: "inline",
  logLevel: "warning",
});
