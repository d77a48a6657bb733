// npm run test:nodes [-- <version> …]: packs Grove and uses it as a new user does, on each Node that it supports.
// A registry on loopback offers the package as if it were published, and fetches everything else from npm's own.
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The oldest that package.json allows, and the newest of each line that is kept up. */
const NODES = ['20.19.0', '20', '22', '24']

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const work = realpathSync(mkdtempSync(join(tmpdir(), 'grove-nodes-')))
const npm = process.env.npm_execpath
if (!npm) stop('Start this with `npm run test:nodes`.')

const wanted = process.argv.slice(2)
const results = []
try {
  const upstream = (await output(process.execPath, [npm, 'config', 'get', 'registry'], { cwd: work })).trim()
  const packed = await output(process.execPath, [npm, 'pack', '--silent', `--pack-destination=${work}`], { cwd: root })
  const registry = await serve(join(work, packed.trim().split('\n').at(-1)), upstream)
  for (const version of wanted.length > 0 ? wanted : NODES) results.push(await tryOn(version, registry.url))
  registry.server.close()
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
const SPACE = 10
console.log(`\n${['node', 'demo', 'install', 'init', 'hook'].map((head) => head.padEnd(SPACE)).join('')}`)
for (const { version, ms } of results)
  console.log([version, ...ms.map((one) => `${(one / 1000).toFixed(1)} s`)].map((cell) => cell.padEnd(SPACE)).join(''))

/** Everything that a new user does in the first minutes, in an empty home; throws where it does not work. */
async function tryOn(wish, registry) {
  const bin = await fetchNode(wish)
  const node = join(bin, process.platform === 'win32' ? 'node.exe' : 'node')
  const home = mkdtempSync(join(work, 'home-'))
  const prefix = join(home, 'prefix')
  const project = join(home, 'project')
  const env = {
    HOME: home,
    PATH: [bin, join(prefix, 'bin'), process.env.PATH].join(delimiter),
    TMPDIR: mkdtempSync(join(work, 'tmp-')),
    npm_config_registry: registry,
    npm_config_prefix: prefix,
    npm_config_update_notifier: 'false',
    ...{ GIT_AUTHOR_NAME: 'Reader', GIT_AUTHOR_EMAIL: 'reader' },
    ...{ GIT_COMMITTER_NAME: 'Reader', GIT_COMMITTER_EMAIL: 'reader' },
    // Daemons of other homes on this machine keep their ports.
    ...{ PORT: '0', PROXY_PORT: '0' },
  }
  const here = { cwd: project, env }
  const version = (await output(node, ['--version'], { env })).trim()
  console.log(`== Node ${version}`)
  mkdirSync(project)
  await makeHistory(here)
  const ms = []
  const timed = async (what, doing) => {
    const from = performance.now()
    await doing()
    ms.push(performance.now() - from)
    console.log(`   ${what}`)
  }

  await timed('npx grovekeeper demo shows its page, and leaves nothing', () => playDemo(node, env))
  await timed('npm i -g grovekeeper', () => output(node, [npm, 'i', '-g', manifest.name], here))
  const grove = (...words) => output(join(prefix, 'bin', 'grove'), words, here)
  expect('grove --version', await grove('--version'), manifest.version)
  await timed('grove init --import makes memories of a history', async () => {
    expect('grove init --import', await grove('init', '--import'), '2 memories kept')
  })
  expect('grove search', await grove('search', 'rounding', 'of', 'the', 'cart', 'total'), 'Round the cart total once')
  expect('grove doctor', await grove('doctor', '--json'), '"ok"')
  await timed('a prompt recalls one of them', async () => {
    const prompt = 'The cart total is a cent off: fix the rounding in src/cart/total.mjs'
    const event = { hook_event_name: 'UserPromptSubmit', session_id: 'a-first-session', cwd: project, prompt }
    const hook = join(home, '.grove', 'bin', 'grove-hook')
    const input = JSON.stringify(event)
    expect('a hook', await output(hook, ['user-prompt-submit'], { ...here, input }), 'Grove recalled 1 memory')
  })
  await grove('restart')
  expect('grove status', await grove('status'), 'running')
  await grove('stop')
  await grove('unregister', '--all')
  // Nothing of Claude Code was there before.
  if (existsSync(join(home, '.claude'))) throw new Error('grove unregister --all left ~/.claude behind')
  console.log('   grove restart, stop and unregister')
  return { version, ms }
}

/** Two commits that are worth remembering. */
async function makeHistory({ cwd, env }) {
  const git = (...words) => output('git', words, { cwd, env })
  await git('init', '--quiet')
  const commits = [
    [
      'src/cart/total.mjs',
      'Round the cart total once, when it is shown\n\nRounding every line lost a cent in large carts.',
    ],
    ['src/auth/token.mjs', 'Refresh a token before it expires\n\nUploads of an hour failed with 401 at their end.'],
  ]
  for (const [file, message] of commits) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    writeFileSync(join(cwd, file), 'export {}\n')
    await git('add', '.')
    await git('commit', '--quiet', `--message=${message}`)
  }
}

/** `npx grovekeeper demo` until its page answers, then Ctrl+C. */
async function playDemo(node, env) {
  const child = spawn(node, [join(dirname(npm), 'npx-cli.js'), '--yes', manifest.name, 'demo', '--no-open'], {
    env,
    cwd: env.HOME,
    detached: true,
  })
  let said = ''
  const link = new Promise((found, fail) => {
    const hear = (chunk) => {
      said += chunk
      const [url] = /http:\/\/127\.0\.0\.1:\S+/.exec(said) ?? []
      if (url) found(url)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => fail(new Error(`the demo ended with ${code}: ${said}`)))
  })
  const ended = once(child, 'exit')
  try {
    // The link lets a browser in, and sends it on.
    const { status } = await fetch(await link, { redirect: 'manual' })
    if (status !== 303) throw new Error(`the page of the demo answered ${status}`)
  } finally {
    process.kill(-child.pid, 'SIGINT')
    await ended
  }
  const left = readdirSync(env.TMPDIR).filter((name) => name.startsWith('grove'))
  if (left.length > 0 || existsSync(join(env.HOME, '.grove'))) throw new Error(`the demo left ${left}`)
}

/** The folder of a Node's program, from the package that npm has of it for this platform. */
async function fetchNode(version) {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const folder = join(root, 'node_modules', '.cache', 'nodes', version)
  const bin = join(folder, 'node_modules', name, 'bin')
  if (!existsSync(bin)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{}')
    await output(process.execPath, [npm, 'install', '--silent', '--prefix', folder, `${name}@${version}`], {
      cwd: folder,
    })
  }
  return bin
}

/** A registry with one package of its own. */
async function serve(tarball, upstream) {
  const body = readFileSync(tarball)
  const { scripts, devDependencies, ...rest } = manifest
  const server = createServer((request, response) => {
    answer(request).catch((error) => response.writeHead(502).end(String(error)))
    async function answer({ method, url, headers }) {
      const dist = {
        tarball: `${address()}/${manifest.name}.tgz`,
        integrity: `sha512-${createHash('sha512').update(body).digest('base64')}`,
      }
      const versions = { [manifest.version]: { ...rest, dist } }
      const own = { name: manifest.name, 'dist-tags': { latest: manifest.version }, versions }
      if (url === `/${manifest.name}`) return response.end(JSON.stringify(own))
      if (url === `/${manifest.name}.tgz`) return response.end(body)
      if (method !== 'GET') return response.writeHead(404).end('{}')
      const theirs = await fetch(new URL(url, upstream), { headers: { accept: headers.accept ?? '*/*' } })
      response.writeHead(theirs.status, { 'content-type': theirs.headers.get('content-type') ?? 'text/plain' })
      response.end(Buffer.from(await theirs.arrayBuffer()))
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = () => `http://127.0.0.1:${server.address().port}`
  return { server, url: address() }
}

function expect(what, said, part) {
  if (!said.includes(part)) throw new Error(`${what} said nothing of "${part}":\n${said}`)
}

/** What a program printed; it may speak with the registry meanwhile. */
function output(program, words, { input, ...options }) {
  return new Promise((done, fail) => {
    const child = execFile(program, words, options, (error, stdout, stderr) => {
      if (error) fail(new Error(`${program} ${words.join(' ')}\n${stdout}${stderr}`, { cause: error }))
      else done(stdout)
    })
    child.stdin.end(input)
  })
}

function stop(why) {
  console.error(why)
  process.exit(1)
}
