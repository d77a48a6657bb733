// npm run clients -- record <path to claude>: records the requests of a client version for test/clients.
// The client runs in a network of its own that holds nothing but loopback, where the system can make one.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [command, client] = process.argv.slice(2)
if (command !== 'record' || !client) {
  console.error('Usage: npm run clients -- record <path to claude>')
  process.exit(1)
}
const outfile = join(root, 'bench', 'out', 'record-client.mjs')
await build({
  entryPoints: [join(root, 'test', 'clients', 'record.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
})
const recorder = [process.execPath, outfile, client, join(root, 'test', 'clients', 'recordings')]
const alone = ['unshare', '-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const isolated = spawnSync('unshare', ['-n', 'true']).status === 0 ? [...alone, ...recorder] : recorder
const { status } = spawnSync(isolated[0], isolated.slice(1), { stdio: 'inherit' })
process.exit(status ?? 1)
