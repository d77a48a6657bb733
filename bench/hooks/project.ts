import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FILES = 200
const COMMITS = 20
const LEARNINGS = 40

/** A project of a small team: some history, some learnings with how they fared, some work lying about. */
export function makeProject(project: string, corpus: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=Bench', '-c', 'user.email=bench', ...args], {
      stdio: 'ignore',
    })
  mkdirSync(project, { recursive: true })
  git('init', '--quiet', '--initial-branch=main')
  git('remote', 'add', 'origin', 'https://git.example/team/shop.git')
  for (let n = 0; n < FILES; n++) write(`src/part-${n % 10}/file-${n}.ts`, `export const value${n} = ${n}\n`.repeat(40))
  write('src/cart.ts', 'export interface Item {\n  price: number\n}\n')
  learnings(write, corpus)
  for (let n = 0; n < COMMITS; n++) {
    write(`src/part-0/file-${n * 10}.ts`, `export const value = ${n}\n`.repeat(40))
    git('add', '--all')
    git('commit', '--quiet', `--message=Change ${n}`)
  }
  lieThere(project, git)
  appendFileSync(join(project, 'src/cart.ts'), '\nexport const EMPTY: Item[] = []\n')
  write('src/notes.ts', 'export const notes = []\n')
}

/** Files that are as new as git's index are read with every look at the tree; those of a real project lie there for long. */
function lieThere(project: string, git: (...args: string[]) => void) {
  const hourAgo = Date.now() / 1000 - 3600
  const files = readdirSync(project, { recursive: true, encoding: 'utf8' }).filter((file) => !/^\.git\b/.test(file))
  for (const file of files) utimesSync(join(project, file), hourAgo, hourAgo)
  git('update-index', '-q', '--refresh')
}

function learnings(write: (path: string, text: string) => void, corpus: string) {
  const pairs = readFileSync(corpus, 'utf8').trimEnd().split('\n').slice(0, LEARNINGS)
  const told = pairs.map((line, n) => {
    const { a } = JSON.parse(line) as { a: { summary: string; detail: string } }
    const id = `lrn_${String(n).padStart(12, '0')}`
    const file = n === 0 ? 'src/cart.ts' : `src/part-${n % 10}/file-${n}.ts`
    const facts = `pitfall · scope: project · confidence: high · because: behavior_changing · tags: area-${n} · files: ${file} · at: 2026-10-01T10:00:00.000Z`
    return { id, text: `### ${a.summary} <!-- ${id} -->\n> ${a.detail}\n- ${facts} <!-- ${id} -->\n\n` }
  })
  write('.grove/learnings.md', `# Learnings\n\n${told.map(({ text }) => text).join('')}`)
  const log = told.flatMap(({ id }, n) =>
    Array.from({ length: 10 }, (_, turn) => {
      const event = {
        at: `2026-10-${String(10 + turn)}T10:00:00.000Z`,
        type: 'surfaced',
        learning: id,
        session: `s${n}`,
      }
      return turn % 3 === 0 ? { ...event, type: 'referenced', how: 'named it' } : event
    }),
  )
  write('.grove/stats.log', log.map((event) => `${JSON.stringify(event)}\n`).join(''))
}
