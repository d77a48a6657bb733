// node scripts/release.mjs: checks that this checkout can be released, packs it, and says what is left to do by hand.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')

if (!changelog.includes(`\n## ${version}\n`))
  stop(`CHANGELOG.md has no section "## ${version}"; take "not yet published" away.`)
const plugin = JSON.parse(readFileSync(join(root, 'plugin', '.claude-plugin', 'plugin.json'), 'utf8'))
if (plugin.version !== version) stop(`The plugin says version ${plugin.version}, the package ${version}.`)
if (run('git', 'status', '--porcelain').trim() !== '') stop('There are changes that are not committed.')

run('npm', 'run', 'check')
run('npm', 'test')
const [packed] = JSON.parse(run('npm', 'pack', '--json', '--loglevel=error').replace(/^[^[]*/, ''))
console.log(`${packed.filename}: ${packed.size} bytes, ${packed.unpackedSize} unpacked, ${packed.entryCount} files.

Nothing was published. From a build service that can vouch for where the package comes from:

  git tag v${version}
  npm publish ${packed.filename} --provenance --access public

Then try it in an empty folder: npx ${name}@${version} --version`)

function run(program, ...args) {
  const { status, stdout } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) stop(`${program} ${args.join(' ')} failed.\n${stdout}`)
  return stdout
}

function stop(why) {
  console.error(why)
  process.exit(1)
}
