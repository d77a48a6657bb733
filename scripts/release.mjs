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

const plugin = JSON.parse(readFileSync(join(root, 'plugin', '.claude-plugin', 'plugin.json'), 'utf8'))
const canVouch = process.env.ACTIONS_ID_TOKEN_REQUEST_URL || process.env.SIGSTORE_ID_TOKEN
const blockers = [
  !changelog.includes(`\n## ${version}\n`) &&
    `CHANGELOG.md has no section "## ${version}": remove "not yet published".`,
  plugin.version !== version && `The plugin has version ${plugin.version}, the package ${version}.`,
  // Provenance binds the package to a repository. The registry's page also resolves the relative links of README.md
  // against it, on GitHub and in this form only; without it each of them would be dead there.
  !/^git\+https:\/\/github\.com\/.+\.git$/.test(repository?.url ?? '') &&
    'package.json names no "repository" of the form { "type": "git", "url": "git+https://github.com/owner/name.git" }:\n' +
      "  npm gives no provenance without one, and the links of README.md would be dead on npm's page.",
  run('git', 'status', '--porcelain').trim() !== '' && 'There are uncommitted changes.',
  isPublished &&
    !canVouch &&
    'Publish from a build service that may issue id tokens: nothing here can vouch for the package.',
].filter(Boolean)
if (blockers.length > 0) stop(`Not ready to release:\n\n${blockers.map((one) => `- ${one}`).join('\n')}`)

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
