import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { featureRepository } from '../src/exec/repository/repository.ts'
import { todoScanner } from '../src/exec/todos/todo-scanner.ts'

/** What a feature's look at a large repository costs, beside `git status` on the same files in the same run. */

const FILES = Number(process.argv[2] ?? 20_000)
const ROUNDS = 7

const home = mkdtempSync(join(tmpdir(), 'grove-bench-'))
const root = join(home, 'app')
const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env })

for (let at = 0; at < FILES; at++) {
  const folder = join(root, 'src', `part-${at % 200}`)
  if (at < 200) mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, `file-${at}.ts`),
    `export const value${at} = ${at}\n${at % 100 === 0 ? '// TODO: later\n' : ''}`,
  )
}
execFileSync('git', ['init', '--quiet', '--initial-branch=main', root], { env })
git('config', 'user.name', 'Bench')
git('config', 'user.email', 'bench')
git('add', '--all')
git('commit', '--quiet', '--message=Start')

const repository = featureRepository({ env, helpers: [] })
const todos = todoScanner(env)
const at = { repository: root, folder: join(home, 'tree'), inPlace: false, branch: 'feature/x' }
const opening = performance.now()
const opened = await repository.open({ ...at, baseBranch: 'main', copy: [] })
const openMs = performance.now() - opening
if (!opened.ok) throw new Error(opened.message)
for (let file = 0; file < 50; file++)
  writeFileSync(join(at.folder, 'src', 'part-0', `new-${file}.ts`), '// TODO: new\n')
for (let file = 0; file < 50; file++)
  writeFileSync(join(at.folder, 'src', `part-${file}`, `file-${file}.ts`), 'changed\n')

const tasks: Record<string, () => Promise<unknown> | unknown> = {
  'git status': () => execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: at.folder, env }),
  diff: () => repository.diff(at, 'main'),
  checkpoint: () => repository.checkpoint(at, 'bench', 'x'),
  find: () => repository.find(at),
  'new TODOs': () => todos.newSince(at, 'main'),
  'all TODOs': () => todos.all(at.folder, 1000),
}
const times = new Map<string, number[]>(Object.keys(tasks).map((name) => [name, []]))
for (let round = 0; round < ROUNDS; round++)
  for (const [name, task] of Object.entries(tasks)) {
    const start = performance.now()
    await task()
    times.get(name)!.push(performance.now() - start)
  }
const median = (name: string) => times.get(name)!.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
console.log(`${FILES} files, 100 changed; median of ${ROUNDS}; open took ${Math.round(openMs)} ms once`)
for (const name of times.keys())
  console.log(
    `${name.padEnd(12)} ${median(name).toFixed(0).padStart(6)} ms  ${(median(name) / median('git status')).toFixed(2).padStart(6)} × git status`,
  )
rmSync(home, { recursive: true, force: true })
