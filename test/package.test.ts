import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { clientEnv, clientPath } from './support/claude.ts'
import { tempDir } from './support/project.ts'
import { shared } from './support/run/shared.ts'

// What somebody gets who installs Grove from the registry.

const root = join(import.meta.dirname, '..')
const MEGABYTE = 1_000_000
/** Enough for a while of growth, little enough to notice a dependency that does not belong there. */
const BUDGET = { packed: 6.5 * MEGABYTE, unpacked: 20 * MEGABYTE }

interface Packed {
  name: string
  size: number
  unpackedSize: number
  files: { path: string }[]
}

const run = promisify(execFile)
let packed: Packed
let dist: string

beforeAll(async () => {
  dist = (await shared('binary'))!
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']
  const [first] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' })) as Packed[]
  packed = first!
})

describe('the package', () => {
  it('has the name under which it is published, and the command grove', () => {
    expect(packed.name).toBe('grovekeeper')
    const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: object }
    expect(bin).toEqual({ grove: 'dist/grove.js' })
  })

  it('brings the licence, and nothing but what runs and what explains it', () => {
    const tops = new Set(packed.files.map(({ path }) => path.split('/')[0]))
    const pages = [
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'GLOSSARY.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
    ]
    expect([...tops].filter((top) => top !== 'dist').toSorted()).toEqual([...pages, 'docs', 'package.json'].toSorted())
  })

  it('has no dead link in its README', () => {
    const inside = new Set(packed.files.map(({ path }) => path))
    for (const link of linksIn('README.md')) {
      const isThere =
        inside.has(link) || packed.files.some(({ path }) => path.startsWith(`${link.replace(/\/$/, '')}/`))
      expect(isThere, link).toBe(true)
    }
  })

  it('is a plugin of the same version, which a clone and the package both offer', () => {
    const read = (...path: string[]) => JSON.parse(readFileSync(join(root, ...path), 'utf8'))
    const { version } = read('package.json')
    for (const folder of ['.', 'plugin']) {
      const { name, plugins } = read(folder, '.claude-plugin', 'marketplace.json')
      const plugin = read(folder, plugins[0].source, '.claude-plugin', 'plugin.json')
      expect([name, plugin.name, plugin.version]).toEqual(['grove', plugins[0].name, version])
    }
    for (const file of [
      '.claude-plugin/plugin.json',
      '.mcp.json',
      'hooks/hooks.json',
      'bin/grove-hook',
      'bin/grove-mcp',
    ]) {
      expect(packed.files.map(({ path }) => path)).toContain(`dist/plugin/${file}`)
    }
  })

  it.each(['a clone', 'the package'])('is taken in by Claude Code from the folder of %s', async (which) => {
    const home = await tempDir('home')
    const env = clientEnv(home, 'http://127.0.0.1:9')
    const plugin = (...words: string[]) => run(clientPath(), ['plugin', ...words], { cwd: home, env })
    try {
      await plugin('marketplace', 'add', which === 'a clone' ? root : join(dist, 'plugin'))
      await plugin('install', 'grove@grove')
      expect((await plugin('list')).stdout).toMatch(/grove@grove[\s\S]*enabled/)
      await plugin('uninstall', 'grove@grove')
      await plugin('marketplace', 'remove', 'grove')
    } finally {
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    }
  })

  it('stays within its size', () => {
    expect(packed.size).toBeLessThan(BUDGET.packed)
    expect(packed.unpackedSize).toBeLessThan(BUDGET.unpacked)
  })
})

describe('npm run release', () => {
  /** What the script says of a checkout with this package.json, which is otherwise ready. */
  async function blockers(manifest: object): Promise<string> {
    const folder = await tempDir('release')
    const files = {
      'package.json': JSON.stringify({
        name: 'grovekeeper',
        version: '1.0.0',
        scripts: { check: 'exit 1' },
        ...manifest,
      }),
      'CHANGELOG.md': '# Changelog\n\n## 1.0.0\n\nThe first.\n',
      'plugin/.claude-plugin/plugin.json': JSON.stringify({ version: '1.0.0' }),
      'scripts/release.mjs': readFileSync(join(root, 'scripts', 'release.mjs'), 'utf8'),
    }
    try {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(join(folder, dirname(path)), { recursive: true })
        await writeFile(join(folder, path), text)
      }
      const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada']
      await run('git', ['init', '--quiet'], { cwd: folder })
      await run('git', ['add', '.'], { cwd: folder })
      await run('git', [...identity, 'commit', '--quiet', '--message=Begin'], { cwd: folder })
      const ran = run(process.execPath, ['scripts/release.mjs'], { cwd: folder })
      return await ran.then(
        () => '',
        (error: { stderr: string }) => error.stderr,
      )
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }

  it('refuses where the links of README.md would be dead on npm’s page', async () => {
    const dead = 'would be dead on npm'
    expect(await blockers({})).toContain(dead)
    // Of these the page resolves no relative link.
    expect(await blockers({ repository: 'owner/name' })).toContain(dead)
    expect(await blockers({ repository: { type: 'git', url: 'git+https://gitlab.com/owner/name.git' } })).toContain(
      dead,
    )
    const known = { type: 'git', url: 'git+https://github.com/owner/name.git' }
    expect(await blockers({ repository: known })).toContain('npm run check failed')
  })
})

/** Where the links of a page lead that stay in the package. */
function linksIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!.split('#')[0]!)
  return targets
    .filter((target) => target !== '' && !/^\w+:/.test(target))
    .map((target) => normalize(join(dirname(page), target)))
}
