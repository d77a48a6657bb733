// What a hook process runs: dist/hook.cjs, and dist/hook/ for when no daemon answers.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, transform } from 'esbuild'
import { EXTERNAL } from './bundling.mjs'

const SHARED = { platform: 'node', target: 'node20', minify: true, legalComments: 'none', logLevel: 'warning' }

/** Builds hook.cjs, the client in one file, and hook/, the standalone runner in pieces; resolves to the files written. */
export async function buildHooks({ root, out, define }) {
  const bundled = { ...SHARED, absWorkingDir: root, bundle: true, define, external: EXTERNAL, metafile: true }
  const [client, standalone] = await Promise.all([
    build({ ...bundled, entryPoints: ['src/hooks/command.ts'], outfile: join(out, 'hook.cjs'), format: 'cjs' }),
    build({
      ...bundled,
      entryPoints: { standalone: 'src/daemon/transports/hook-standalone.ts' },
      outdir: join(out, 'hook'),
      outExtension: { '.js': '.cjs' },
      // One chunk for what every event needs, others for what is behind an `import()`. esbuild splits ESM only.
      splitting: true,
      format: 'esm',
      // Its ESM form calls `createRequire(import.meta.url)`, which has no meaning in CommonJS.
      alias: { 'web-tree-sitter': join(root, 'node_modules', 'web-tree-sitter', 'web-tree-sitter.cjs') },
      write: false,
    }),
  ])
  mkdirSync(join(out, 'hook'), { recursive: true })
  await Promise.all(standalone.outputFiles.map(async ({ path, text }) => writeFileSync(path, await asCommonJs(text))))
  return [client, standalone].flatMap(({ metafile }) =>
    Object.keys(metafile.outputs).map((file) => resolve(root, file)),
  )
}

/** As CommonJS a chunk can be started from V8's code cache (`src/hooks/load-cached.ts`), and Node's ESM loader is not needed. */
async function asCommonJs(chunk) {
  const { code } = await transform(chunk, {
    ...SHARED,
    format: 'cjs',
    define: { 'import.meta.dirname': '__dirname' },
    // A script from the code cache cannot import, only require.
    supported: { 'dynamic-import': false },
  })
  return code
}
