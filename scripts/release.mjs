// npm run release: checks that this checkout can be released, packs it, and says what is left to do.
// npm run release -- --publish: publishes it as well, from a build service that can vouch for where the package comes from.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { name, version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const isPublished = process.argv.includes('--publish')
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')

if (!changelog.includes(`\n## ${version}\n`))
  stop(`CHANGELOG.md has no section "## ${version}"; take "not yet published" away.`)
const plugin = JSON.parse(readFileSync(join(root, 'plugin', '.claude-plugin', 'plugin.json'), 'utf8'))
if (plugin.version !== version) stop(`The plugin says version ${plugin.version}, the package ${version}.`)
// Provenance binds the package to a repository and a run of its build service, and npm compares the two.
if (!repository) stop('package.json names no "repository"; npm vouches for no package without one.')
if (run('git', 'status', '--porcelain').trim() !== '') stop('There are changes that are not committed.')
if (isPublished && !process.env.ACTIONS_ID_TOKEN_REQUEST_URL && !process.env.SIGSTORE_ID_TOKEN)
  stop('Nothing here can vouch for the package. Publish from a build service that may issue id tokens.')

run('npm', 'run', 'check')
run('npm', 'test')
run('npm', 'run', 'test:nodes')
const [packed] = JSON.parse(run('npm', 'pack', '--json', '--loglevel=error').replace(/^[^[]*/, ''))
const publish = ['publish', packed.filename, '--provenance', '--access', 'public']
console.log(`${packed.filename}: ${packed.size} bytes, ${packed.unpackedSize} unpacked, ${packed.entryCount} files.`)
if (isPublished) {
  run('npm', ...publish)
  run('git', 'tag', `v${version}`)
  console.log(`Published, and tagged v${version}. Push the tag, then try it: npx ${name}@${version} --version`)
} else {
  console.log(`
Nothing was published. From a build service that can vouch for where the package comes from, \`npm run release -- --publish\` does:

  npm ${publish.join(' ')}
  git tag v${version}

Then try it in an empty folder: npx ${name}@${version} --version`)
}

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
