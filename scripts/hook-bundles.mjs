// What a hook process runs: dist/hook.cjs, and dist/hook/ for when no daemon answers.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build, transform } from 'esbuild'
import { inAscii } from './ascii.mjs'
import { EXTERNAL } from './bundling.mjs'

const SHARED = { platform: 'node', target: 'node20', minify: true, legalComments: 'none', logLevel: 'warning' }

const STANDALONE = 'src/daemon/transports/hook-standalone.ts'

/** Behind an `import()` that few events reach, and large: they stay out of the file that every event reads. */
const SELDOM = [
  'src/exec/syntax/parse.ts',
  'src/llm/choose.ts',
  'src/storage/backends/mcp.ts',
  'src/storage/files/intents-edit.ts',
  'src/storage/files/intents-yaml.ts',
]

/** Each of these modules runs when something of it is first used: an event needs a few of them. */
const ON_USE = /^src\/(?:core|supervisor)\/.*\.ts$/

/** Builds hook.cjs, the client in one file, detach.cjs, and hook/, the standalone runner; resolves to the files written. */
export async function buildHooks({ root, out, define }) {
  const bundled = { ...SHARED, absWorkingDir: root, bundle: true, define, external: EXTERNAL, metafile: true }
  const client = join(out, 'hook.cjs')
  const detacher = join(out, 'detach.cjs')
  const data = new Map()
  const standalone = {
    ...bundled,
    entryPoints: { standalone: STANDALONE },
    outdir: join(out, 'hook'),
    outExtension: { '.js': '.cjs' },
    // What is behind an `import()` becomes a chunk of its own. esbuild splits ESM only.
    splitting: true,
    format: 'esm',
    // Its ESM form calls `createRequire(import.meta.url)`, which has no meaning in CommonJS.
    alias: { 'web-tree-sitter': join(root, 'node_modules', 'web-tree-sitter', 'web-tree-sitter.cjs') },
    plugins: [dataOnUse(join(out, 'hook'), data)],
    write: false,
  }
  const [{ metafile: whole }] = await Promise.all([
    build(standalone),
    build({ ...bundled, entryPoints: ['src/hooks/command.ts'], outfile: client, format: 'cjs' }),
    build({ ...bundled, entryPoints: ['src/daemon/transports/hook-detach.ts'], outfile: detacher, format: 'cjs' }),
  ])
  const { outputFiles, metafile } = await build({ ...standalone, entryPoints: entriesOf(whole) })
  const usual = reachedIn(metafile, root, SELDOM)
  const reached = reachedIn(metafile, root, [])
  const chunks = await Promise.all(
    outputFiles.flatMap(({ path, text }) => (reached.has(path) ? asFunction(text).then((code) => [path, code]) : [])),
  )
  const files = new Map([[join(out, 'hook', 'standalone.cjs'), chunks.filter(([path]) => usual.has(path))]])
  for (const chunk of chunks) if (!usual.has(chunk[0])) files.set(chunk[0], [chunk])
  mkdirSync(join(out, 'hook'), { recursive: true })
  for (const [file, inside] of files) {
    const functions = inside.map(([path, code]) => `${JSON.stringify(basename(path))}:${code}`)
    writeFileSync(file, `({${functions.join(',')}})`)
  }
  for (const [file, text] of data) writeFileSync(file, text)
  return [client, detacher, ...files.keys(), ...data.keys()]
}

/** An entry of its own is a chunk of its own. */
function entriesOf({ inputs }) {
  const modules = Object.keys(inputs).filter((file) => ON_USE.test(file))
  const named = modules.map((file) => [file.replaceAll(/^src\/|\.ts$/g, '').replaceAll('/', '-'), file])
  return { standalone: STANDALONE, ...Object.fromEntries(named) }
}

/**
 * Trained weights and word lists stay files of their own, read when something of them is first used: most events need none
 * of them, and as code they are a third of what V8 loads. `files` is told what to write.
 */
function dataOnUse(folder, files) {
  return {
    name: 'data-on-use',
    setup({ onLoad }) {
      onLoad({ filter: /\.min\.json$/ }, ({ path }) => {
        const name = basename(path)
        files.set(join(folder, name), readFileSync(path, 'utf8'))
        return { contents: moduleOf(name), loader: 'js' }
      })
    },
  }
}

const moduleOf = (name) => `
  import { readFileSync } from 'node:fs'
  import { join } from 'node:path'
  let data
  const read = () => (data ??= JSON.parse(readFileSync(join(import.meta.dirname, '${name}'), 'utf8')))
  export default new Proxy({}, { get: (_, name) => read()[name], has: (_, name) => name in read() })`

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
  return inAscii(`function(exports,require,module,__filename,__dirname){${code}}`)
}

/** The chunks that can be reached from the standalone runner, past none of those modules. */
function reachedIn({ outputs }, root, without) {
  const entries = Object.values(outputs).map(({ entryPoint }) => entryPoint)
  const gone = without.filter((file) => !entries.includes(file))
  if (gone.length > 0)
    throw new Error(`Nothing imports ${gone.join(', ')} by import(): correct SELDOM in scripts/hook-bundles.mjs.`)
  const reached = new Set()
  const follow = (path) => {
    if (reached.has(path) || without.includes(outputs[path].entryPoint)) return
    reached.add(path)
    for (const imported of outputs[path].imports) if (!imported.external) follow(imported.path)
  }
  follow(Object.keys(outputs).find((path) => basename(path) === 'standalone.cjs'))
  return new Set([...reached].map((path) => resolve(root, path)))
}
