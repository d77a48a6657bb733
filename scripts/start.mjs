// node scripts/start.mjs <arguments of grove>: builds when a source is newer than dist/, then becomes grove.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const entry = join(root, 'dist', 'grove.js')

if (isStale()) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}

// In this very process: signals and the exit code need no forwarding, and there is one Node to wait for instead of two.
process.argv[1] = entry
await import(pathToFileURL(entry).href)

function isStale() {
  if (!existsSync(entry)) return true
  const built = statSync(entry).mtimeMs
  const sources = ['src', 'scripts', 'plugin'].flatMap(filesIn).filter((file) => !file.includes('.test.'))
  const packages = ['package.json', 'package-lock.json'].map((name) => join(root, name))
  return [...sources, ...packages].some((file) => existsSync(file) && statSync(file).mtimeMs > built)
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath ?? item.path, item.name))
}
