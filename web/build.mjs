// Bundles the pages of `opbench web` into one script and one style sheet: node web/build.mjs [FOLDER].
import { build } from 'esbuild';
import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(here, '../build/web'));

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await build({
  entryPoints: { app: join(here, 'src/main.tsx') },
  outdir: folder,
  bundle: true,
  minify: true,
  // Browsers load no module from a file URL, so the bundle is a classic script.
  format: 'iife',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.woff2': 'file' },
  assetNames: '[name]',
  legalComments: 'linked',
  logLevel: 'warning',
});
await cp(join(here, 'index.html'), join(folder, 'index.html'));
