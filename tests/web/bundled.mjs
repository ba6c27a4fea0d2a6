// Imports a TypeScript file of the pages into node: the packages of web/ translate it.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
