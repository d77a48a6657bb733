// node scripts/build.mjs [--out <folder>]: bundles everything a user runs into dist/, dependencies included.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { inAscii } from './ascii.mjs'
import { EXTERNAL, REQUIRE } from './bundling.mjs'
import { buildGrammars } from './grammars.mjs'
import { buildHooks } from './hook-bundles.mjs'
import { leanAssertions } from './lean-assert.mjs'
import { writeLicences } from './licences.mjs'
import { checkV8Flags } from './v8-flags.mjs'
import { buildWeb } from './web.mjs'
import { withoutZodLocales } from './zod-locales.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } })
const out = resolve(values.out)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

await checkV8Flags(root).catch(fail)
mkdirSync(out, { recursive: true })
const before = filesIn(out)

const define = { GROVE_VERSION: JSON.stringify(version) }
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { grove: 'src/cli/main.ts', 'demo-agent': 'src/demo/agent/main.ts' },
  outdir: out,
  bundle: true,
  // Commands stay separate files, so that `grove --version` reads only its own.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  define,
  banner: { js: REQUIRE },
  external: EXTERNAL,
  plugins: [leanAssertions(), withoutZodLocales()],
  // V8 keeps the source of all that is loaded, comments and indentation too. Names stay, and lines stay short: a user's stack
  // trace is worth more than the rest of it.
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
}).catch(() => process.exit(1)) // esbuild has already said what is wrong

// A single other letter makes V8 keep the whole file at two bytes a character.
for (const file of Object.keys(metafile.outputs)) {
  const path = resolve(root, file)
  writeFileSync(path, inAscii(readFileSync(path, 'utf8'), { isModule: true }))
}

// `grove claude` must start Claude Code even when everything else here is damaged, so its file depends on none of them;
// what it would import at its start are helpers that it does not use.
const program = join(out, 'grove.js')
writeFileSync(program, readFileSync(program, 'utf8').replaceAll(/\bimport\s*"\.\/chunks\/[^"]+";/g, ''))

// Files of an earlier build go last: a Grove that is just starting may still read them.
const hooks = await buildHooks({ root, out, define }).catch(fail)
const grammars = buildGrammars(out)
const web = await buildWeb({ root, out }).catch(fail)
const bundled = [...Object.keys(metafile.inputs), ...web.inputs.map((file) => relative(root, file))]
const licences = writeLicences(root, out, [...bundled, 'node_modules/@vscode/tree-sitter-wasm/'])
const outputs = Object.keys(metafile.outputs).map((file) => resolve(root, file))
const written = new Set([...outputs, ...hooks, ...grammars, ...web.files, licences])
for (const file of before) if (!written.has(file)) rmSync(file, { force: true })

cpSync(join(root, 'plugin'), join(out, 'plugin'), { recursive: true })

chmodSync(join(out, 'grove.js'), 0o755)
const sizes = [
  ['grove.js, with every command', ['grove.js', 'chunks']],
  ['hook.cjs, the hook client', ['hook.cjs']],
  ['hook/, its standalone runner', ['hook']],
  ['grammars', ['grammars']],
  ['web, the app', ['web']],
  ['in all', ['']],
]
console.log(relative(process.cwd(), out) || out)
for (const [name, parts] of sizes) console.log(`  ${name.padEnd(30)}${kilobytes(sizeOf(parts)).padStart(10)}`)

console.log(
  `  first page ${kilobytes(web.sizes.first)} compressed, each view at most ${kilobytes(Math.max(...web.sizes.routes.map(({ bytes }) => bytes)))} more`,
)

/** Of files and folders below `out`. */
function sizeOf(parts) {
  const paths = parts.map((part) => join(out, part))
  const files = paths.flatMap((path) => (statSync(path).isFile() ? [path] : filesIn(path)))
  return files.reduce((sum, file) => sum + statSync(file).size, 0)
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath ?? item.path, item.name))
}

function fail(error) {
  console.error(error.message)
  process.exit(1)
}

function kilobytes(count) {
  return `${Math.round(count / 1024).toLocaleString('en-US')} KB`
}
