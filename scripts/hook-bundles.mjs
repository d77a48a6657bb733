// The bundles a hook process runs. CommonJS in one file each, because that is what starts fastest.
import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'

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
      define: { ...define, 'import.meta.url': 'groveUrl', 'import.meta.dirname': '__dirname' },
      banner: { js: URL_OF_FILE },
      external: ['@photostructure/sqlite', 'pg-native'],
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
  const built = await Promise.all([
    bundle('src/hooks/command.ts', 'hook.cjs', { banner: {} }),
    bundle('src/daemon/hook-standalone.ts', 'hook-standalone.cjs', {
      // As a function already, so that whoever compiles it need not copy it to make it one.
      banner: { js: `(function(exports,require,module,__filename,__dirname){${URL_OF_FILE}` },
      footer: { js: '})' },
      plugins: [leftOut(), loadedOnUse(root)],
    }),
    bundle('src/storage/sql/postgres.ts', 'hook-postgres.cjs'),
    bundle('src/storage/backends/mcp.ts', 'hook-mcp.cjs'),
  ])
  return built.flatMap(({ metafile }) => Object.keys(metafile.outputs).map((file) => resolve(root, file)))
}

/** Keeps out of the standalone runner what it never uses. */
function leftOut() {
  return {
    name: 'left-out',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^#storage\/sql\/postgres\.ts$/ }, () => ({ path: './hook-postgres.cjs', external: true }))
      onResolve({ filter: /^#storage\/backends\/mcp\.ts$/ }, () => ({ path: './hook-mcp.cjs', external: true }))
      // A hook process asks no judge: daemon/hook-standalone.ts sees to that.
      onResolve({ filter: /^#llm\/choose\.ts$/ }, ({ path }) => ({ path, namespace: 'left-out' }))
      // Messages in forty languages, of which English is built in.
      onResolve({ filter: /locales\/index\.js$/ }, ({ path, importer }) =>
        importer.includes(`${sep}zod${sep}`) ? { path, namespace: 'left-out' } : undefined,
      )
      onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {}' }))
      // The `z` that zod exports is all of it; the star lets the bundler keep only what is used.
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/, namespace: 'file' }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replace("import { z } from 'zod'", "import * as z from 'zod'"),
        loader: 'ts',
      }))
    },
  }
}

/**
 * Puts a thin module between our modules, whose functions load the real one when they are first called: an event then
 * loads the few modules it needs, and no module has to think of that. What is no function is imported as always.
 */
function loadedOnUse(root) {
  const src = join(root, 'src') + sep
  return {
    name: 'loaded-on-use',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(#|\.|node:)/ }, ({ path, kind, importer, namespace, resolveDir }) => {
        if (kind !== 'import-statement' || !importer.startsWith(src)) return undefined
        if (path.startsWith('node:')) return NODE_ON_USE.includes(path) ? { path, namespace: 'on-use' } : undefined
        const file = path.startsWith('#') ? join(src, path.slice(1)) : resolve(resolveDir, path)
        if (!file.endsWith('.ts') || file.endsWith(`${sep}hook-start.ts`)) return undefined
        // Our modules do nothing but define, so one that is not used need not be there.
        if (namespace === 'on-use' && file === importer) return { path: file, sideEffects: false }
        return { path: file, namespace: 'on-use', sideEffects: false }
      })
      onLoad({ filter: /.*/, namespace: 'on-use' }, ({ path }) => ({
        contents: path.startsWith('node:') ? nodeOnUse(path) : moduleOnUse(path),
        resolveDir: path.startsWith('node:') ? root : dirname(path),
        loader: 'js',
      }))
    },
  }
}

function moduleOnUse(file) {
  const source = readFileSync(file, 'utf8')
  const namesIn = (pattern) => [...source.matchAll(pattern)].map((match) => match[1])
  const arrows = namesIn(/^export const (\w+)(?:: \w+)? = (?:async )?\(\w*\) =>/gm)
  const functions = [...namesIn(/^export (?:async )?function\*? (\w+)/gm), ...arrows]
  const others = namesIn(/^export (?:const|let|class|abstract class) (\w+)/gm).filter((name) => !arrows.includes(name))
  const passedOn = [...source.matchAll(/^export \{([^}]+)\} from '([^']+)'/gm)].flatMap(([, list, from]) => {
    const names = list.split(',').map((name) => name.trim())
    const values = names.filter((name) => name && !name.startsWith('type '))
    return values.length > 0 ? [`export { ${values.join(', ')} } from '${from}'`] : []
  })
  const own = JSON.stringify(`./${basename(file)}`)
  const direct = others.length > 0 ? [`export { ${others.join(', ')} } from ${own}`] : []
  return [...onUse(`require(${JSON.stringify(file)})`, functions), ...direct, ...passedOn].join('\n')
}

/** Those of Node's modules that take long to load; the others are there from the start anyway. */
const NODE_ON_USE = ['node:child_process', 'node:crypto', 'node:fs/promises', 'node:timers/promises']

function nodeOnUse(path) {
  const real = process.getBuiltinModule(path)
  const isPlain = (name) => /^[a-z]/.test(name) && typeof real[name] === 'function' && !(promisify.custom in real[name])
  const names = Object.keys(real).filter((name) => /^\w+$/.test(name) && name !== 'default')
  const others = names.filter((name) => !isPlain(name))
  return [
    ...onUse(`process.getBuiltinModule('${path}')`, names.filter(isPlain)),
    `export { ${others.join(', ')} } from '${path}'`,
  ].join('\n')
}

function onUse(load, functions) {
  const wrap = (name) => `export function ${name}() { return load().${name}.apply(this, arguments) }`
  return [`let real\nconst load = () => (real ??= ${load})`, ...functions.map(wrap)]
}
