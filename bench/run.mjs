// npm run bench <name> -- [options]: bundles bench/<name>.ts and runs it, so a bench measures what ships.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { REQUIRE } from '../scripts/bundling.mjs'
import { leanAssertions } from '../scripts/lean-assert.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const [name, ...options] = process.argv.slice(2)
const entry = join(here, `${name}.ts`)

if (!name || !existsSync(entry)) {
  const names = readdirSync(here)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3))
  console.error(`Usage: npm run bench <name> -- [options]\nBenches: ${names.join(', ')}`)
  process.exit(1)
}

const { devDependencies, optionalDependencies } = JSON.parse(readFileSync(join(here, '..', 'package.json'), 'utf8'))
const outfile = join(here, 'out', `${name}.mjs`)
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // undici goes in as it does into the product; it is another thing inside a bundle than beside one.
  external: Object.keys({ ...devDependencies, ...optionalDependencies }).filter((name) => name !== 'undici'),
  plugins: [leanAssertions({ optional: true })],
  banner: { js: REQUIRE },
  logLevel: 'warning',
})
const { status, signal } = spawnSync(process.execPath, ['--enable-source-maps', outfile, ...options], {
  stdio: 'inherit',
})
process.exit(signal ? 1 : status)
