import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, normalize, relative } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createProject, tempDir } from '../support/project.ts'
import { shared } from '../support/run/shared.ts'

// Whatever a page tells people to type is typed here: in a home, a project and a PATH of its own.

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const PAGES = ['README.md', ...pagesIn('docs')]

/** Lines that only a person or a network can run, and why. */
const NOT_HERE: [line: RegExp, why: string][] = [
  [/^npx? (?:-y )?grovekeeper/, 'fetches the package from the registry; test/package.test.ts packs it'],
  [/^npm (?:i|install|rm|link)\b/, 'installs for the whole machine'],
  [/^npm (?:start|test|run)\b/, 'is for a clone of this repository'],
  [/^grove demo\b/, 'stays until Ctrl+C; test/browser/demo.test.ts plays it'],
  [/^grove (?:up|open|logs -f)\b/, 'stays in the foreground, or opens a browser'],
  [/^grove claude\b|^claude\b/, 'starts Claude Code'],
  [/\b(?:mem|lrn|git|rej)_\w+|^grove import (?!git)/, 'names a memory or a file of the reader'],
  [/^grove team\b|^psql\b|^createdb\b/, "needs a team's PostgreSQL; test/e2e/team.test.ts has one"],
  [/^grove service (?:install|remove)\b/, "changes this machine's service manager"],
  [/^grove feature\b/, 'needs Claude Code; test/browser/whole-feature.test.ts drives one'],
  [/^grove pause --session\b/, 'needs a session that is live'],
  [/^(?:export|curl) /, 'is for a server of the reader'],
]

describe('every command in the documentation', () => {
  const pages = PAGES.map((page) => ({ page, lines: commandsIn(page) })).filter(({ lines }) => lines.length > 0)

  it.each(pages)('runs as $page says', async ({ lines }) => {
    const place = await setPlace()
    try {
      for (const line of lines.filter((one) => !NOT_HERE.some(([pattern]) => pattern.test(one)))) {
        const ran = await run('/bin/sh', ['-c', line], { cwd: place.project.dir, env: place.env }).then(
          () => 'ok',
          (error: { stdout: string; stderr: string }) => `${line}\n${error.stdout}${error.stderr}`,
        )
        expect(ran).toBe('ok')
      }
      expect(unlisted(place)).toEqual([])
    } finally {
      await place.remove()
    }
  })
})

it.each(PAGES)('%s has no dead link', (page) => {
  for (const link of linksIn(page)) expect(existsSync(join(root, link)), link).toBe(true)
})

async function setPlace() {
  const dist = (await shared('binary'))!
  const project = await createProject({
    'src/auth/token.ts': 'export const token = 1\n',
    'src/prices/cache.ts': 'export const cache = 1\n',
  })
  await project.git('commit', '--quiet', '--allow-empty', '--message=Refresh a token before it expires\n\nBecause…')
  const home = await tempDir('reader')
  await mkdir(join(home, 'bin'))
  await writeFile(
    join(home, 'bin', 'grove'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(dist, 'grove.js')}" "$@"\n`,
  )
  await chmod(join(home, 'bin', 'grove'), 0o755)
  const identity = { GIT_AUTHOR_NAME: 'Reader', GIT_AUTHOR_EMAIL: 'reader', GIT_COMMITTER_NAME: 'Reader' }
  const env = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    ...identity,
    GIT_COMMITTER_EMAIL: 'reader',
    NO_COLOR: '1',
  }
  return {
    project,
    home,
    env,
    async remove() {
      await run('grove', ['stop', '--now'], { env }).catch(() => {}) // Where nothing runs there is nothing to stop.
      await project.remove()
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** What was written and is not on the page about files. */
function unlisted({ home, project }: Awaited<ReturnType<typeof setPlace>>): string[] {
  const known = readFileSync(join(root, 'docs', 'files.md'), 'utf8')
  const grove = existsSync(join(home, '.grove')) ? readdirSync(join(home, '.grove')) : []
  const own = ['.grove', '.orchestration'].flatMap((folder) => {
    const path = join(project.dir, folder)
    return existsSync(path) ? readdirSync(path).map((name) => `${folder}/${name}`) : []
  })
  return [...grove.map((name) => name.replace(/-(?:wal|shm)$/, '')), ...own].filter((name) => !known.includes(name))
}

/** The lines of all `sh` blocks, without what is said behind them. */
function commandsIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap(([, block]) => block!.split('\n'))
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

function linksIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!.split('#')[0]!)
  return targets
    .filter((target) => target !== '' && !/^\w+:/.test(target))
    .map((target) => normalize(join(dirname(page), target)))
}

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile() && item.name.endsWith('.md'))
    .map((item) => relative(root, join(item.parentPath, item.name)))
    .toSorted()
}
