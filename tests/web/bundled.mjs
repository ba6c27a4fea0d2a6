// The pages in node: a TypeScript file, which the packages of web/ translate, and the size of the built bundle.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const requireWeb = createRequire(join(root, 'web/package.json'));

export async function bundled(path) {
  const { build } = requireWeb('esbuild');
  const made = await build({
    entryPoints: [join(root, 'web/src', path)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'node18',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'silent',
  });
  return import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].contents).toString('base64')}`);
}

/// Bytes of the bundle in build/web, compressed.
export function bundleBytes() {
  const folder = join(root, 'build/web');
  const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  return files.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
}
