// What a hook process runs: dist/hook.cjs, and dist/hook/ for when no daemon answers.
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build, transform } from 'esbuild'
import { EXTERNAL } from './bundling.mjs'

const SHARED = { platform: 'node', target: 'node20', minify: true, legalComments: 'none', logLevel: 'warning' }

/** Behind an `import()` that few events reach, and large: they stay out of the file that every event reads. */
const SELDOM = [
  'src/exec/syntax/parse.ts',
  'src/llm/choose.ts',
  'src/storage/backends/mcp.ts',
  'src/storage/files/intents-edit.ts',
  'src/storage/files/intents-yaml.ts',
]

/** Builds hook.cjs, the client in one file, detach.cjs, and hook/, the standalone runner; resolves to the files written. */
export async function buildHooks({ root, out, define }) {
  const bundled = { ...SHARED, absWorkingDir: root, bundle: true, define, external: EXTERNAL, metafile: true }
  const client = join(out, 'hook.cjs')
  const detacher = join(out, 'detach.cjs')
  const [, , { outputFiles, metafile }] = await Promise.all([
    build({ ...bundled, entryPoints: ['src/hooks/command.ts'], outfile: client, format: 'cjs' }),
    build({ ...bundled, entryPoints: ['src/daemon/transports/hook-detach.ts'], outfile: detacher, format: 'cjs' }),
    build({
      ...bundled,
      entryPoints: { standalone: 'src/daemon/transports/hook-standalone.ts' },
      outdir: join(out, 'hook'),
      outExtension: { '.js': '.cjs' },
      // What is behind an `import()` becomes a chunk of its own. esbuild splits ESM only.
      splitting: true,
      format: 'esm',
      // Its ESM form calls `createRequire(import.meta.url)`, which has no meaning in CommonJS.
      alias: { 'web-tree-sitter': join(root, 'node_modules', 'web-tree-sitter', 'web-tree-sitter.cjs') },
      write: false,
    }),
  ])
  const chunks = await Promise.all(outputFiles.map(async ({ path, text }) => [path, await asFunction(text)]))
  const usual = usualChunks(metafile, root)
  const files = new Map([[join(out, 'hook', 'standalone.cjs'), chunks.filter(([path]) => usual.has(path))]])
  for (const chunk of chunks) if (!usual.has(chunk[0])) files.set(chunk[0], [chunk])
  mkdirSync(join(out, 'hook'), { recursive: true })
  for (const [file, inside] of files) {
    const functions = inside.map(([path, code]) => `${JSON.stringify(basename(path))}:${code}`)
    writeFileSync(file, `({${functions.join(',')}})`)
  }
  return [client, detacher, ...files.keys()]
}

/**
 * A chunk as the function that Node would make of it. As CommonJS it needs none of Node's ESM loader and can be started
 * from V8's code cache (`src/hooks/load-cached.ts`); V8 compiles nothing of a function that does not run.
 */
async function asFunction(chunk) {
  const { code } = await transform(chunk, {
    ...SHARED,
    format: 'cjs',
    define: { 'import.meta.dirname': '__dirname' },
    // A script from the code cache cannot import, only require.
    supported: { 'dynamic-import': false },
  })
  return `function(exports,require,module,__filename,__dirname){${code}}`
}

/** The chunks that can be reached without those in `SELDOM`. */
function usualChunks({ outputs }, root) {
  const entries = Object.values(outputs).map(({ entryPoint }) => entryPoint)
  const gone = SELDOM.filter((file) => !entries.includes(file))
  if (gone.length > 0)
    throw new Error(`Nothing imports ${gone.join(', ')} by import(): correct SELDOM in scripts/hook-bundles.mjs.`)
  const reached = new Set()
  const follow = (path) => {
    if (reached.has(path) || SELDOM.includes(outputs[path].entryPoint)) return
    reached.add(path)
    for (const imported of outputs[path].imports) if (!imported.external) follow(imported.path)
  }
  follow(Object.keys(outputs).find((path) => basename(path) === 'standalone.cjs'))
  return new Set([...reached].map((path) => resolve(root, path)))
}
