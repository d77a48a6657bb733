// The web app: bundled by Vite into dist/web with hashed names, and held to its budgets.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build as bundle } from 'esbuild'
import { build } from 'vite'

/** Compressed, in bytes: what the first page needs, and what any other view may add. */
export const BUDGET = { first: 250 * 1024, route: 120 * 1024 }

/** Writes `<out>/web`. Resolves to its files, the packages' files that went in, and the sizes of each view. */
export async function buildWeb({ root, out }) {
  const folder = join(out, 'web')
  const result = await build({
    root: join(root, 'src', 'web'),
    configFile: false,
    logLevel: 'warn',
    plugins: [routesOnly(root)],
    // The views name rooms as everything else does.
    resolve: { alias: [{ find: /^#/, replacement: `${join(root, 'src')}/` }] },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2023',
      assetsDir: 'assets',
      // Everything comes from a file of ours: the page's policy allows no inline code.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        // Libraries say so to frameworks that render on a server.
        onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      },
    },
  })
  const { output } = [result].flat()[0]
  const publicFiles = ['icon.svg', 'apple-touch-icon.png', 'manifest.webmanifest']
  const files = [...output.map(({ fileName }) => fileName), ...publicFiles].map((name) => join(folder, name))
  const inputs = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []))
  const sizes = sizesOf(output, (name) => readFileSync(join(folder, name)))
  const over = overBudget(sizes)
  if (over.length > 0) throw new Error(`The web app is too large:\n  ${over.join('\n  ')}`)
  return { files, inputs, sizes }
}

/** What is loaded with the first page, and by each view on top of that. */
export function sizesOf(output, read) {
  const chunks = new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]))
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry)
  const weight = (names) => [...names].reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0)
  const first = closure(entry, chunks)
  const routes = [...new Set(entry.dynamicImports)].map((name) => {
    const added = [...closure(chunks.get(name), chunks)].filter((file) => !first.has(file))
    return { name: chunks.get(name).name, bytes: weight(added) }
  })
  return { first: weight(first) + weight(['index.html']), routes }
}

/** A chunk, what it imports, and their styles. */
function closure(chunk, chunks, seen = new Set()) {
  if (!chunk || seen.has(chunk.fileName)) return seen
  seen.add(chunk.fileName)
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style)
  for (const name of chunk.imports) closure(chunks.get(name), chunks, seen)
  return seen
}

export function overBudget({ first, routes }) {
  const kb = (bytes) => `${Math.ceil(bytes / 1024)} KB`
  return [
    ...(first > BUDGET.first ? [`the first page: ${kb(first)}, at most ${kb(BUDGET.first)}`] : []),
    ...routes
      .filter(({ bytes }) => bytes > BUDGET.route)
      .map(({ name, bytes }) => `${name}: ${kb(bytes)} more, at most ${kb(BUDGET.route)}`),
  ]
}

/** Of the declared routes only method and path reach the browser: the schemas, and the library behind them, stay out. */
function routesOnly(root) {
  const declared = posix(join(root, 'src', 'protocol', 'api', 'routes.ts'))
  return {
    name: 'grove-routes-only',
    enforce: 'pre',
    async load(id) {
      if (posix(id) !== declared) return null
      const { api } = await loaded(root, id)
      return { code: `export const api = ${JSON.stringify(methodsAndPaths(api))}`, moduleType: 'js' }
    },
  }
}

function posix(path) {
  return path.replaceAll('\\', '/')
}

function methodsAndPaths(nouns) {
  const short = (routes) => Object.entries(routes).map(([name, { method, path }]) => [name, { method, path }])
  return Object.fromEntries(Object.entries(nouns).map(([noun, routes]) => [noun, Object.fromEntries(short(routes))]))
}

/** What a module of ours exports, by bundling it and loading that. */
async function loaded(root, file) {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const bundled = join(cache, `grove-routes-${process.pid}-${basename(file)}.mjs`)
  const { outputFiles } = await bundle({
    entryPoints: [file],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  writeFileSync(bundled, outputFiles[0].contents)
  try {
    return await import(pathToFileURL(bundled).href)
  } finally {
    rmSync(bundled, { force: true })
  }
}
