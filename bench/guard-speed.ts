import { mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig } from '#config/load.ts'
import { run } from '#exec/spawn.ts'
import { openWorld } from '../src/daemon/compose/world.ts'
import { readHookEvent } from '../src/protocol/hook-event.ts'
import { guardPart } from '../src/supervisor/guard/part.ts'
import { createProject, tempDir } from '../test/support/project.ts'

const FOLDERS = 2500
const FILES_EACH = 20
const CALLS = 25

/** What comparing a tree of 50,000 files around every shell call costs, before and after the command, with a daemon and without. */
export async function measureSpeed(): Promise<void> {
  const project = await createProject({ 'README.md': '# Large\n' })
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(project.dir, 'src', `part-${folder % 50}`, `m${folder}`)
    mkdirSync(path, { recursive: true })
    for (let file = 0; file < FILES_EACH; file++) writeFileSync(join(path, `f${file}.ts`), `export const v = ${file}\n`)
  }
  await project.git('add', '-A')
  await project.git('commit', '-qm', 'large')
  writeFileSync(join(project.dir, '.git/info/exclude'), 'dist/\n')
  mkdirSync(join(project.dir, 'dist'))
  mkdirSync(join(project.dir, '.orchestration'))
  for (const how of ['daemon', 'no daemon'] as const) {
    const { before, after, git } = await measure(project.dir, how === 'daemon')
    console.log(
      `${FOLDERS * FILES_EACH} files, ${how}: before a command ${median(before)} ms, after it ${median(after)} ms; one \`git status\` ${median(git)} ms (medians of ${CALLS})`,
    )
  }
  await project.remove()
}

async function measure(dir: string, isDaemon: boolean) {
  const home = await tempDir('grove-home')
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const config = loadConfig({ env: { GROVE_HOME: home }, cwd: home })
  const world = openWorld({ config, log, ...(isDaemon && { later: setImmediate }) })
  const part = guardPart(await world.guard())
  const taken = { before: [] as number[], after: [] as number[], git: [] as number[] }
  const hook = async (name: string, id: number, into: number[]) => {
    const began = performance.now()
    const call = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: `t${id}`, tool_response: {} }
    await part.handle(readHookEvent({ session_id: 's', cwd: dir, hook_event_name: name, ...call }))
    // The first calls start the watch.
    if (id >= WARM) into.push(performance.now() - began)
  }
  for (let id = 0; id < WARM + CALLS; id++) {
    await hook('PreToolUse', id, taken.before)
    writeFileSync(join(dir, 'dist/out.js'), `export const v = ${id}\n`)
    await hook('PostToolUse', id, taken.after)
    // Beside it, because these machines are noisy.
    const began = performance.now()
    await run('git', ['--no-optional-locks', '-C', dir, 'status', '--porcelain'], { timeoutMs: 60_000 })
    if (id >= WARM) taken.git.push(performance.now() - began)
  }
  await world.close()
  await rm(home, { recursive: true, force: true })
  return taken
}

const WARM = 10

function median(values: number[]): string {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!.toFixed(0)
}
