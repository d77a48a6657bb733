// The versions of Claude Code that Grove is tried with.
//   npm run test:clients [-- <version|test file> …]   the end-to-end stories with the oldest, a middle and the newest version
//   npm run clients -- record <path to claude>        records the requests of a client version for test/clients
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const OLDEST = '2.1.197'
const MIDDLE = '2.1.260'
const CLIENT = '@anthropic-ai/claude-code'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const cache = join(root, 'node_modules', '.cache', 'clients')
const [command, ...args] = process.argv.slice(2)
if (command === 'record' && args[0]) process.exit(await record(args[0]))
if (command === 'test') process.exit(test(args))
console.error('Usage: npm run clients -- record <path to claude>, or npm run test:clients')
process.exit(1)

/** Every story with each version; a table at the end says how many passed. */
function test(wanted) {
  const isVersion = (word) => /^\d+\.\d+\.\d+$/.test(word)
  const named = wanted.filter(isVersion)
  const files = wanted.filter((word) => !isVersion(word))
  const versions = named.length > 0 ? named : [OLDEST, MIDDLE, newest()]
  const results = versions.map((version) => ({
    version,
    ...run(version, files.length > 0 ? files : ['test/e2e', 'test/driver']),
  }))
  console.log(`\n${'client'.padEnd(12)}${'passed'.padStart(8)}${'failed'.padStart(8)}`)
  for (const { version, passed, failed } of results) {
    console.log(`${version.padEnd(12)}${String(passed).padStart(8)}${String(failed).padStart(8)}`)
  }
  return results.some(({ passed, failed }) => failed > 0 || passed === 0) ? 1 : 0
}

function run(version, files) {
  const client = fetchClient(version)
  const outcome = join(cache, `${version}.json`)
  rmSync(outcome, { force: true })
  console.log(`\n== Claude Code ${version}`)
  const vitest = ['vitest', 'run', ...files, '--reporter=default', '--reporter=json', `--outputFile.json=${outcome}`]
  spawnSync('npx', vitest, { cwd: root, stdio: 'inherit', env: { ...process.env, GROVE_TEST_CLIENT: client } })
  if (!existsSync(outcome)) return { passed: 0, failed: 0 }
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(outcome, 'utf8'))
  return { passed: numPassedTests, failed: numFailedTests }
}

/** Of the registry; where that cannot be asked, the one that the other tests use. */
function newest() {
  try {
    return npm('view', CLIENT, 'version').trim()
  } catch {
    console.log('The registry cannot be asked for the newest version; the pinned one takes its place.')
    return pinned()
  }
}

function pinned() {
  return JSON.parse(readFileSync(join(root, 'test', 'clients', 'pinned', 'package.json'), 'utf8')).version
}

/** The program of a version, fetched from the registry the first time: it is one file, and starts on any Node. */
function fetchClient(version) {
  const folder = join(cache, version)
  const program = join(folder, 'claude')
  if (existsSync(program)) return program
  const libc = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime ? '-musl' : ''
  const name = `${CLIENT}-${process.platform}-${process.arch}${libc}`
  const installed = join(root, 'node_modules', name, 'claude')
  if (version === pinned() && existsSync(installed)) return installed
  console.log(`Fetching Claude Code ${version} …`)
  const unpacked = `${folder}.partial`
  rmSync(unpacked, { recursive: true, force: true })
  mkdirSync(unpacked, { recursive: true })
  const [packed] = JSON.parse(npm('pack', `${name}@${version}`, '--json', '--pack-destination', unpacked))
  execFileSync('tar', ['-xzf', join(unpacked, packed.filename.replace(/^@/, '').replace('/', '-')), '-C', unpacked])
  mkdirSync(folder, { recursive: true })
  renameSync(join(unpacked, 'package', 'claude'), program)
  rmSync(unpacked, { recursive: true })
  return program
}

function npm(...words) {
  return execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

/** The client runs in a network of its own that holds nothing but loopback, where the system can make one. */
async function record(client) {
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
  return spawnSync(isolated[0], isolated.slice(1), { stdio: 'inherit' }).status ?? 1
}
