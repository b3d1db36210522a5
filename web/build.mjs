// Bundles the page, dist/page.js and dist/page.css, and the worker of the playground, dist/worker.js, each without
// references to anything outside.
//   node build.mjs [FOLDER]
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// The dark colours stand once in page.css, for who chooses them on the page: here they also become those of a dark system.
const dark_systems = {
  name: "dark systems",
  setup: (bundler) =>
    bundler.onLoad({ filter: /page\.css$/ }, async ({ path }) => {
      const css = await readFile(path, "utf8");
      const dark = /:root\[data-theme="dark"\] (\{[^}]*\})/;
      const system = '@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) $1 }';
      return { loader: "css", contents: css.replace(dark, `$&\n${system}`) };
    }),
};

const settings = {
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  outdir: process.argv[2] ?? "dist",
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2021"],
  // ASCII only, so that the text survives whatever embeds it.
  charset: "ascii",
  legalComments: "inline",
  logLevel: "warning",
};
await build({ ...settings, entryPoints: { page: "src/main.ts" }, plugins: [dark_systems] });
await build({ ...settings, entryPoints: { worker: "src/engine_worker.ts" } });
