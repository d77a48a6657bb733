import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import type { Refusal } from '../../src/core/refusal.ts'
import type { TraceRecord } from '../../src/core/trace/record.ts'
import { openWorld } from '../../src/daemon/compose/world.ts'
import { readHookEvent } from '../../src/protocol/hook-event.ts'
import { GuardEvent } from '../../src/protocol/live.ts'
import { guardPart } from '../../src/supervisor/guard/part.ts'
import type { GuardWorld } from '../../src/supervisor/guard/world.ts'
import { SLOTS } from '../../src/supervisor/state-slots.ts'
import { createProject, tempDir } from './project.ts'

type WhenFinished = (work: () => Promise<void>) => void

/** Who makes a call. */
export interface Who {
  session?: string
  agent?: string
  cwd?: string
}

interface Said {
  deny?: string
  ask?: string
  permit?: true | string
  context?: string
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** A real project with intents and the real guard on a real store, asked as the client asks its hooks. */
export async function guarded(
  whenFinished: WhenFinished,
  files: Record<string, string>,
  { settings = '[guard]\ntemporary = []\n' }: { settings?: string } = {},
) {
  const project = await createProject(files)
  whenFinished(project.remove)
  const home = await tempDir('grove-home')
  whenFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
  if (settings) await writeFile(join(home, 'config.toml'), settings)
  const config = loadConfig({ env: { GROVE_HOME: home }, cwd: home })
  const events: GuardEvent[] = []
  const trouble: string[] = []
  const log = {
    ...silent,
    warn: (fields: object, text: string) => void trouble.push(`${text} ${JSON.stringify(fields)}`),
  }
  const opened = openWorld({ config, log, publish: (event) => void events.push(GuardEvent.parse(event)) })
  whenFinished(() => opened.close())
  const store = await opened.store()
  const world: GuardWorld = await opened.guard()
  const part = guardPart(world)
  let calls = 0

  async function hook(event: object, { session = 's1', agent, cwd = project.dir }: Who = {}): Promise<Said> {
    const common = { session_id: session, cwd, ...(agent && { agent_id: agent, agent_type: 'helper' }) }
    return ((await part.handle(readHookEvent({ ...common, ...event }))) ?? {}) as Said
  }

  const refusal = ({ deny }: Said) => (deny === undefined ? undefined : (JSON.parse(deny) as Refusal))
  const path = (name: string) => (name.startsWith('/') ? name : join(project.dir, name))

  /** Before a tool runs: the refusal, or undefined. */
  async function gate(tool: string, input: object, who: Who & { id?: string } = {}): Promise<Refusal | undefined> {
    const id = who.id ?? `toolu_${++calls}`
    return refusal(
      await hook({ hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input, tool_use_id: id }, who),
    )
  }

  /** Whether a path may be written, as the code of the refusal. */
  async function mayWrite(name: string, who: Who = {}): Promise<string> {
    const said = await gate('Write', { file_path: path(name), content: 'x' }, who)
    if (!said) await hook(failed('Write', { file_path: path(name) }), who)
    return said?.code ?? 'allowed'
  }

  const failed = (tool: string, input: object) => ({
    hook_event_name: 'PostToolUseFailure',
    tool_name: tool,
    tool_input: input,
    tool_use_id: `toolu_${calls}`,
    error: 'not run',
  })

  /** A whole Write, as the client does it: asked, done, told. */
  async function write(name: string, content: string, who: Who = {}): Promise<string> {
    const input = { file_path: path(name), content }
    const id = `toolu_${++calls}`
    const said = await gate('Write', input, { ...who, id })
    if (said) return said.code
    const original = await readFile(path(name), 'utf8').catch(() => null)
    await mkdir(dirname(path(name)), { recursive: true })
    await writeFile(path(name), content)
    const tool_response = { type: original === null ? 'create' : 'update', content, originalFile: original }
    await hook(
      { hook_event_name: 'PostToolUse', tool_name: 'Write', tool_input: input, tool_response, tool_use_id: id },
      who,
    )
    return 'written'
  }

  /** A whole Edit. */
  async function edit(name: string, from: string, to: string, who: Who = {}): Promise<string> {
    const input = { file_path: path(name), old_string: from, new_string: to }
    const id = `toolu_${++calls}`
    const said = await gate('Edit', input, { ...who, id })
    if (said) return said.code
    const originalFile = await readFile(path(name), 'utf8')
    await writeFile(path(name), originalFile.replace(from, to))
    const tool_response = { originalFile, oldString: from, newString: to, replaceAll: false }
    await hook(
      { hook_event_name: 'PostToolUse', tool_name: 'Edit', tool_input: input, tool_response, tool_use_id: id },
      who,
    )
    return 'written'
  }

  /** A whole Read; `part` shows only some lines of it. */
  async function read(name: string, who: Who & { part?: boolean } = {}): Promise<void> {
    const content = await readFile(path(name), 'utf8')
    const totalLines = content.split('\n').length
    const file = who.part
      ? { content: content.split('\n')[0], numLines: 1, startLine: 1, totalLines }
      : { content, numLines: totalLines, startLine: 1, totalLines }
    const tool_input = { file_path: path(name), ...(who.part && { limit: 1 }) }
    await hook(
      { hook_event_name: 'PostToolUse', tool_name: 'Read', tool_input, tool_response: { type: 'text', file } },
      who,
    )
  }

  /** A whole Bash call; what it does is done by `work`. Resolves to the refusal's code, or to what the agent is told. */
  async function bash(
    command: string,
    work: () => Promise<unknown> = async () => {},
    who: Who & { background?: boolean } = {},
  ) {
    const id = `toolu_${++calls}`
    const input = { command, ...(who.background && { run_in_background: true }) }
    const said = await gate('Bash', input, { ...who, id })
    if (said) return said.code
    await work()
    const { context } = await hook(
      { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: input, tool_response: {}, tool_use_id: id },
      who,
    )
    return context ?? 'fine'
  }

  const select = (intentId: string, { session = 's1', agent }: Who = {}) =>
    store.states.put(SLOTS.intent, agent ? `${session}:${agent}` : session, { intentId, at: Date.now() }, Date.now())

  async function trace(): Promise<TraceRecord[]> {
    const file = join(project.dir, '.orchestration/agent_trace.jsonl')
    if (!existsSync(file)) return []
    return (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as TraceRecord)
  }

  return {
    ...project,
    home,
    store,
    opened,
    world,
    events,
    trouble,
    hook,
    gate,
    mayWrite,
    write,
    edit,
    read,
    bash,
    select,
    trace,
    guardedProject: { root: project.dir, orchestration: join(project.dir, '.orchestration') },
    put: async (name: string, text: string) => {
      await mkdir(dirname(path(name)), { recursive: true })
      await writeFile(path(name), text)
    },
    text: (name: string) => readFile(path(name), 'utf8'),
  }
}

/** A file of intents: id → scope. */
export function intentsYaml(intents: Record<string, string[]>): string {
  const items = Object.entries(intents).map(
    ([id, scope]) =>
      `  - id: ${id}\n    name: Work of ${id}\n    status: in_progress\n    owned_scope: ${JSON.stringify(scope)}\n`,
  )
  return `active_intents:\n${items.join('')}`
}
