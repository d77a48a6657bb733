// The bundles a hook process runs. CommonJS in one file each, because that is what starts fastest.
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { build, transform } from 'esbuild'
import { EXTERNAL } from './bundling.mjs'

/** What Node loads or works out when it is first looked at, and what a hook hardly ever looks at. */
const STAND_INS = { 'import.meta.url': '__here.url', 'performance.now': 'Date.now' }
const HERE = { 'import.meta.url': 'groveUrl', 'import.meta.dirname': '__dirname' }
const URL_OF_FILE = "const groveUrl = require('node:url').pathToFileURL(__filename).href;"

/** Builds hook.cjs, hook-standalone.cjs and what the latter loads only where it is wanted; resolves to the files written. */
export async function buildHooks({ root, out, define }) {
  const bundle = (entry, name, more = {}) =>
    build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile: join(out, name),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      define: { ...define, ...HERE },
      banner: { js: URL_OF_FILE },
      external: EXTERNAL,
      // Its module form asks for a `require` of its own, which a bundle of this kind has not.
      alias: { 'web-tree-sitter': join(root, 'node_modules', 'web-tree-sitter', 'web-tree-sitter.cjs') },
      // Read with every start, so whitespace goes; names stay, for whoever reads a stack trace.
      minifyWhitespace: true,
      minifySyntax: true,
      // Compiled code that is kept between starts cannot import, only require.
      supported: { 'dynamic-import': false },
      charset: 'ascii',
      legalComments: 'none',
      metafile: true,
      logLevel: 'warning',
      ...more,
    })
  mkdirSync(out, { recursive: true })
  const built = await Promise.all([
    bundle('src/hooks/command.ts', 'hook.cjs', { banner: {} }),
    bundle('src/daemon/transports/hook-detach.ts', 'detach.cjs', { banner: {} }),
    bundle('src/daemon/transports/hook-standalone.ts', 'hook-standalone.cjs', {
      ...asOneFunction(HELPERS),
      plugins: [leftOut(), loadedOnUse(root, out, { ...define, ...HERE, ...STAND_INS })],
    }),
    bundle('src/storage/sqlite/postgres.ts', 'hook-postgres.cjs', asOneFunction(URL_OF_FILE)),
    bundle('src/storage/backends/mcp.ts', 'hook-mcp.cjs', asOneFunction(URL_OF_FILE)),
    ...BESIDE.map((name) =>
      bundle(undefined, `hook-${name}.cjs`, {
        ...asOneFunction(URL_OF_FILE),
        entryPoints: [],
        stdin: { contents: `module.exports = require('${name}')`, resolveDir: root },
        minifyIdentifiers: true,
      }),
    ),
  ])
  const tables = built.flatMap(({ metafile }) => Object.keys(metafile.inputs).filter((file) => TABLE.test(file)))
  const outputs = built.flatMap(({ metafile }) => Object.keys(metafile.outputs).map((file) => resolve(root, file)))
  return [...outputs, ...tables.map((file) => join(out, tableName(file)))]
}

/** Packages that few events need; every event would read them with the rest. */
const BESIDE = ['marked', 'picomatch', 'unbash', 'web-tree-sitter', 'yaml']

/** As a function already, so that whoever compiles it (`hooks/load-cached.ts`) need not copy it to make it one. */
function asOneFunction(begin) {
  return {
    banner: { js: `(function(exports,require,module,__filename,__dirname){${begin}` },
    footer: { js: '})' },
  }
}

/** Keeps out of the standalone runner what it never uses, or seldom. */
function leftOut() {
  return {
    name: 'left-out',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^#storage\/sql\/postgres\.ts$/ }, () => ({ path: './hook-postgres.cjs', external: true }))
      onResolve({ filter: /^#storage\/backends\/mcp\.ts$/ }, () => ({ path: './hook-mcp.cjs', external: true }))
      onResolve({ filter: new RegExp(`^(${BESIDE.join('|')})$`) }, ({ path }) => ({
        path: `./hook-${path}.cjs`,
        external: true,
      }))
      // A hook process asks no judge: daemon/transports/hook-standalone.ts sees to that.
      onResolve({ filter: /^#llm\/choose\.ts$/ }, ({ path }) => ({ path, namespace: 'left-out' }))
      onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {}' }))
    },
  }
}

/**
 * Each of our modules becomes a function that runs when something of it is first used, and what it imports waits in the
 * same way: an event then loads the few modules it needs, and no module has to think of that. It also makes for little
 * compiled code, because V8 keeps nothing of what lies inside a function that never ran.
 */
function loadedOnUse(root, out, define) {
  const src = join(root, 'src') + sep
  return {
    name: 'loaded-on-use',
    setup({ onResolve, onLoad }) {
      // A room of their own, because in this package a file is taken for a module of the other kind.
      const fileOf = (path, folder) => (path.startsWith('#') ? join(src, path.slice(1)) : resolve(folder, path))
      // Its name stands in the bundle, so it says nothing of where that was built.
      const nameOf = (file) => relative(root, file).replaceAll(sep, '/')
      onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => ({
        path: nameOf(fileOf(path, resolveDir)),
        namespace: 'ours',
      }))
      onLoad({ filter: /.*/, namespace: 'ours' }, async ({ path }) => ({
        contents: await asFunction(join(root, path), fileOf, define),
        loader: 'js',
        resolveDir: dirname(join(root, path)),
      }))
      // Large tables as they are: parsing JSON takes less than making the same out of compiled code.
      onLoad({ filter: TABLE }, ({ path }) => {
        const name = tableName(path)
        copyFileSync(path, join(out, name))
        return {
          contents: `module.exports = JSON.parse(require('node:fs').readFileSync(__dirname + '/${name}', 'utf8'))`,
          loader: 'js',
        }
      })
      onResolve({ filter: /^(kysely|smol-toml)$/ }, ({ path, namespace }) =>
        namespace === 'ours' ? { path, namespace: 'in-one' } : undefined,
      )
      onLoad({ filter: /.*/, namespace: 'in-one' }, async ({ path }) => ({
        contents: await inOne(root, path),
        loader: 'js',
      }))
      onResolve({ filter: /^@photostructure\/sqlite$/ }, ({ path, namespace }) =>
        namespace === 'ours' ? { path, namespace: 'sqlite' } : undefined,
      )
      onLoad({ filter: /.*/, namespace: 'sqlite' }, () => ({ contents: SQLITE, loader: 'js', resolveDir: root }))
    },
  }
}

const TABLE = /\.min\.json$/
const tableName = (file) => `hook-${basename(file)}`

/** A module as CommonJS, with `import_x._.name` for each `import_x.name`: the first such look loads it. */
async function asFunction(file, fileOf, define) {
  const { code } = await transform(readFileSync(file, 'utf8'), {
    loader: 'ts',
    format: 'cjs',
    target: 'node20',
    charset: 'ascii',
    define,
    supported: { 'dynamic-import': false },
  })
  // What stands before it are helpers, the same in every module: here they are in the banner.
  const own = code.slice(Math.max(0, code.indexOf('var stdin_exports = {};')))
  const imports = /^var (import_\w+) = ((?:__toESM\()?require\("(.+)"\)\)?);$/gm
  const paths = new Map([...own.matchAll(imports)].map(([, name, , path]) => [name, path]))
  const isFunction = (from, name) => {
    const path = paths.get(from) ?? ''
    if (path.startsWith('node:'))
      return /^[a-z]/.test(name) && typeof process.getBuiltinModule(path)[name] === 'function'
    const source = path.endsWith('.ts') ? readFileSync(fileOf(path, dirname(file)), 'utf8') : ''
    return new RegExp(`^export (?:async )?function\\*? ${name}\\b`, 'm').test(source)
  }
  return (
    own
      // Handed on, a function is not used yet.
      .replace(/(?<!\(0)(: |\(|, )(import_\w+)\.(\w+)(?=[,)}\n]| })/g, (used, before, from, name) =>
        isFunction(from, name) ? `${before}(...given) => ${from}._.${name}(...given)` : used,
      )
      .replace(/\b(import_\w+)\.(?!_\.)/g, (used, name) => (paths.has(name) ? `${name}._.` : used))
      .replace(imports, 'var $1 = new __OnUse(() => $2);')
  )
}

const HELPERS = `
const __here = { get url() { return require('node:url').pathToFileURL(__filename).href } }
const __defProp = Object.defineProperty
const __export = (target, all) => { module.ran++; for (const name in all) __defProp(target, name, { get: all[name], enumerable: true }) }
const __toCommonJS = (from) => __defProp(from, '__esModule', { value: true })
const __toESM = (from) => from.__esModule ? from : { ...from, default: from }
class __OnUse {
  constructor(load) { this.load = load }
  get _() { const value = this.load(); __defProp(this, '_', { value }); return value }
}
`

/** A package as one module: only what we import of it. */
async function inOne(root, name) {
  const wanted = sourcesIn(join(root, 'src')).flatMap((source) =>
    [...source.matchAll(/^import \{([^}]+)\} from '([^']+)'/gm)].flatMap(([, list, from]) =>
      from === name ? list.split(',').map((one) => one.trim().split(' as ')[0]) : [],
    ),
  )
  const names = new Set(wanted.filter((one) => one !== '' && !one.startsWith('type ')))
  const { outputFiles } = await build({
    stdin: { contents: `export { ${[...names].join(', ')} } from '${name}'`, resolveDir: root },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    charset: 'ascii',
    legalComments: 'none',
    minifyIdentifiers: true,
    // Node loads its exact clock when it is first looked at, and nobody reads how long a query took.
    define: { performance: 'undefined' },
  })
  return outputFiles[0].text
}

function sourcesIn(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.ts'))
  return files.map((file) => readFileSync(join(folder, file), 'utf8'))
}

/** Opens the package's library itself: looking for it in the package's own way takes longer than everything else about it. */
const SQLITE = `
const { join, dirname } = require('node:path')
const { existsSync } = require('node:fs')
function load() {
  const name = join('node_modules', '@photostructure', 'sqlite', 'prebuilds', process.platform + '-' + process.arch)
  const libc = existsSync('/etc/alpine-release') ? 'musl' : 'glibc'
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const file = join(folder, name, '@photostructure+sqlite.' + libc + '.node')
    if (existsSync(file)) {
      const library = { exports: {} }
      process.dlopen(library, file)
      return library.exports
    }
    if (dirname(folder) === folder) throw new Error('no library')
  }
}
try {
  exports.DatabaseSync = load().DatabaseSync
} catch {
  // Built on this machine, or kept elsewhere: the package knows where.
  exports.DatabaseSync = require('@photostructure/sqlite').DatabaseSync
}
exports.__esModule = true
`
