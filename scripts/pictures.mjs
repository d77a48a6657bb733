// npm run pictures [-- --only <part of a name> --looks light-360,dark-1024]: a picture of every view in every state, into pictures/.
// npm run pictures -- --readme: the four of the README, into docs/pictures/.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { devDependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const outfile = join(root, 'node_modules', '.cache', 'pictures.mjs')
await build({
  entryPoints: [join(root, 'test', 'browser', 'pictures.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: Object.keys({ ...devDependencies, ...optionalDependencies }),
  logLevel: 'warning',
})
const args = ['--enable-source-maps', outfile, root, ...process.argv.slice(2)]
const { status, signal } = spawnSync(process.execPath, args, { stdio: 'inherit' })
process.exit(signal ? 1 : status)
