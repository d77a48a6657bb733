import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { plainText } from '#config/plain-file.ts'
import type { McpServer } from '#core/ports/guard.ts'
import { foreignEnvironment } from './process/environment.ts'

type Json = Record<string, unknown>
type Variables = Record<string, string | undefined>

/**
 * The server a tool belongs to, when it is a program and the client would start it: the user has configured it, or has
 * enabled the one that came with the project. What the client comes across first counts.
 */
export function serverOfTool(root: string, tool: string, variables: Variables): McpServer | undefined {
  const home = variables.HOME || homedir()
  const user = read(join(variables.CLAUDE_CONFIG_DIR || home, '.claude.json'))
  const own = join(root, '.mcp.json')
  const isEnabled = enabledIn(object(object(user.projects)[root]), [
    read(join(variables.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json')),
    read(join(root, '.claude', 'settings.local.json')),
  ])
  const places: { servers: Json; changedAt?: number }[] = [
    { servers: object(object(object(user.projects)[root]).mcpServers) },
    { servers: onlyThose(object(read(own).mcpServers), isEnabled), changedAt: changeOf(own) },
    { servers: object(user.mcpServers) },
  ]
  for (const { servers, changedAt } of places) {
    for (const [name, config] of Object.entries(servers)) {
      const prefix = `mcp__${plain(name)}__`
      if (!tool.startsWith(prefix)) continue
      const server = programOf(object(config), prefix, variables)
      return server && { ...server, ...(changedAt !== undefined && { changedAt }) }
    }
  }
  return undefined
}

/**
 * Whether a person has enabled a server of the project: by answering the client, which keeps it with the project, or in their
 * own settings. The project's committed settings do not count: they come with it.
 */
function enabledIn(answered: Json, settings: readonly Json[]): (name: string) => boolean {
  const all = [answered, ...settings]
  const named = (key: string) => all.flatMap((one) => (Array.isArray(one[key]) ? (one[key] as unknown[]) : []))
  const [enabled, disabled] = [named('enabledMcpjsonServers'), named('disabledMcpjsonServers')]
  const isAnyEnabled = all.some((one) => one.enableAllProjectMcpServers === true)
  return (name) => !disabled.includes(name) && (isAnyEnabled || enabled.includes(name))
}

function onlyThose(servers: Json, isEnabled: (name: string) => boolean): Json {
  return Object.fromEntries(Object.entries(servers).filter(([name]) => isEnabled(name)))
}

function programOf(config: Json, prefix: string, variables: Variables): McpServer | undefined {
  const { type = 'stdio', command, args, env } = config
  if (type !== 'stdio' || typeof command !== 'string') return undefined
  const fill = (text: unknown) =>
    String(text).replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, other = '') => variables[name] ?? other)
  return {
    prefix,
    command: fill(command),
    args: Array.isArray(args) ? args.map(fill) : [],
    env: Object.fromEntries(Object.entries(object(env)).map(([name, value]) => [name, fill(value)])),
  }
}

/** Names of servers and tools as the client spells them. */
function plain(name: string): string {
  return name.replace(/[^\w-]/g, '_')
}

function read(file: string): Json {
  try {
    return object(JSON.parse(plainText(file, { most: 64 * 1024 * 1024 }) ?? '{}'))
  } catch {
    // Not there, or not readable as JSON: then nothing is configured in it.
    return {}
  }
}

function changeOf(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? Math.max(stat.mtimeMs, stat.ctimeMs) : 0
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

const PROTOCOL = '2025-06-18'
const MOST_PAGES = 20
/** Of all its answers: what never ends its line would be held until there is no more room. */
const MOST_BYTES = 16 * 1024 * 1024

/** Where a server is started, and how long it may take. */
interface Asking {
  cwd: string
  env: Variables
  version: string
  waitMs: number
}

/** Starts the server, asks which of its tools declare that they only read, and ends it. Undefined when it does not answer. */
export function toolsThatRead(server: McpServer, { cwd, env, version, waitMs }: Asking): Promise<string[] | undefined> {
  const child = spawn(server.command, server.args, {
    cwd,
    env: { ...foreignEnvironment(env), ...server.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = (id: number, cursor?: unknown) =>
    send({ id, method: 'tools/list', params: cursor === undefined ? {} : { cursor } })
  const reading: string[] = []
  return new Promise((resolve) => {
    const finish = (answer?: string[]) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      resolve(answer)
    }
    const timer = setTimeout(finish, waitMs)
    child.on('error', () => finish())
    child.on('close', () => finish())
    // A broken pipe is ignored: the server may end early, and its exit is the answer.
    child.stdin.on('error', () => {})
    let heard = 0
    child.stdout.on('data', (chunk: Buffer) => {
      heard += chunk.length
      if (heard > MOST_BYTES) finish()
    })
    createInterface(child.stdout).on('line', (line) => {
      const { id, result } = messageIn(line)
      if (typeof id !== 'number') return
      if (id > MOST_PAGES || result === undefined) return finish()
      if (id === 0) {
        send({ method: 'notifications/initialized' })
        return ask(1)
      }
      const { tools, nextCursor } = object(result)
      for (const tool of Array.isArray(tools) ? tools.map(object) : []) {
        if (object(tool.annotations).readOnlyHint === true) reading.push(`${server.prefix}${plain(String(tool.name))}`)
      }
      if (nextCursor === undefined || nextCursor === null) finish(reading)
      else ask(id + 1, nextCursor)
    })
    const clientInfo = { name: 'grove', version }
    send({ id: 0, method: 'initialize', params: { protocolVersion: PROTOCOL, capabilities: {}, clientInfo } })
  })
}

function messageIn(line: string): { id?: unknown; result?: unknown } {
  try {
    return object(JSON.parse(line))
  } catch {
    // Some servers greet on their standard output.
    return {}
  }
}
