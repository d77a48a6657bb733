import { existsSync, statSync } from 'node:fs'
import { chmod, mkdir, readFile, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '#config/config.ts'
import { localUrlOf } from '#config/listening-address.ts'
import type { Env } from '#config/load.ts'
import { makeFolder } from '#config/make-folder.ts'
import { pathsOf, tilde } from '#config/paths.ts'
import { Trouble } from '#config/trouble.ts'
import { clientScript } from '#hooks/client-script.ts'
import { type HookTarget, hookEntries, type Transport } from '#hooks/entries.ts'
import { attach, detach, isOurStatusLine, OUR_TOOLS } from '#hooks/install.ts'
import { attachMcp } from '#hooks/mcp-entry.ts'
import { envOf, parseSettings, statusLineOf } from '#protocol/settings.ts'
import { singleQuoted } from '#protocol/shell-word.ts'
import { keysOf } from '#server/keys.ts'
import { homeToken } from '#server/token.ts'
import { writeAtomic } from '#storage/files/atomic.ts'
import { ensureHome, tryToWrite } from '../process/home.ts'
import { runningListeners } from '../process/listeners.ts'
import { type AttachRecord, attachRecords } from './attach-record.ts'
import { claudeFiles, readIfThere, soundly, whileLocked } from './claude-files.ts'
import { agentCommandFile, agentCommandRules, detacherFile, scriptFile } from './hook-client-files.ts'
import { memoryServerNotes } from './memory-server-notes.ts'
import { proxyVariables, settledProxy, type Variables } from './proxy-variables.ts'

/** Attaching Grove to Claude Code's settings; detach.ts is the way back. */

export type { Transport }

export interface AttachNeeds {
  config: Config
  env: Env
  /** The project to attach to; absent: all projects of the user. */
  project?: string
  transport: Transport
  /** Whether Claude Code is pointed at the proxy: at once, or by the daemon when it starts. */
  proxy: false | 'now' | 'once it runs'
  /** Whether Claude Code is given a status line, where it has none. */
  statusLine?: boolean
  /** The folder this Grove runs from. */
  dist: string
  /** Look, but write nothing. */
  dryRun: boolean
}

export interface Attached {
  settings: string
  /** The hook events that Grove is registered for. */
  hooks: string[]
  env: Record<string, string>
  /** Tools that Claude Code need not ask about any more. */
  allow: string[]
  /** The status line that is Grove's. */
  statusLine?: string
  configuration: string
  script?: string
  /** What the user should know. */
  notes: string[]
}

/** Adds hooks, variables and the MCP server. Running it again brings them up to date. */
export async function attachToClaude(needs: AttachNeeds): Promise<Attached> {
  if (needs.dryRun) return planFor(needs).report
  return whileLocked(claudeFiles(needs.env).configuration, async () => {
    const plan = planFor(needs)
    await carryOut(plan, needs)
    return plan.report
  })
}

interface Plan {
  report: Attached
  script?: Script
  record: AttachRecord
  /** The settings file without Grove, where this is the first time. */
  original?: string
  /** The client's configuration with our server in it. */
  configuration: string
}

/** Reads everything and decides; a file that cannot be understood is said before anything is written. */
function planFor(needs: AttachNeeds): Plan {
  const { config, env, project } = needs
  const files = claudeFiles(env)
  const settings = project === undefined ? files.userSettings : files.projectSettings(project)
  const earlier = attachRecords(config.home).of(settings)
  const now = readIfThere(settings)
  const original = soundly(settings, detach(now, earlier?.trace))

  if (!needs.dryRun) {
    ensureHome(config.home)
    // Fails before anything is written when the disk is full.
    tryToWrite(config.home)
  }
  const { variables, notes }: Variables = needs.proxy
    ? proxyVariables({ ...env, ...variablesIn(original) }, config, runningListeners(config).proxy?.url)
    : { variables: {}, notes: [] }
  const base = variables.ANTHROPIC_BASE_URL
  if (base !== undefined && !needs.dryRun) variables.ANTHROPIC_BASE_URL = settledProxy(config, base)
  const { target, script } = hookTarget(needs, variables.ANTHROPIC_BASE_URL)
  // A project's folder is shared more easily than a home, so no token is put there unless it is asked for.
  const transport = needs.transport === 'auto' && project !== undefined ? 'command' : needs.transport
  const hooks = hookEntries(transport, target)
  const allow = [...OUR_TOOLS, ...(script ? agentCommandRules(config.home) : [])]
  const line = statusLineFor(needs, original, earlier !== undefined ? now : undefined)
  const settled = needs.proxy === 'once it runs' ? pointedPast(variables, original, config) : variables
  const trace = soundly(settings, attach(now, { hooks, env: settled, allow, statusLine: line.ours }, earlier?.trace))
  const configuration = readIfThere(files.configuration)
  const server = serverEntry(needs)
  const added = soundly(files.configuration, attachMcp(configuration, project, server, earlier?.mcp?.trace))

  const mcp = { file: files.configuration, ...(project !== undefined && { project }), trace: added.trace }
  return {
    report: {
      settings,
      hooks: hooks.map(({ event }) => event),
      env: variables,
      allow: trace.allow ?? [],
      ...(line.ours !== undefined && { statusLine: line.ours }),
      configuration: files.configuration,
      ...(script && { script: script.file }),
      notes: [...notes, ...line.notes, ...memoryServerNotes(configuration, config)],
    },
    ...(script && { script }),
    record: { ...(earlier ?? placeOf(settings)), trace, mcp },
    ...(earlier === undefined && original !== undefined && { original }),
    configuration: added.text,
  }
}

async function carryOut({ report, script, record, original, configuration }: Plan, { config, dist }: AttachNeeds) {
  const { settings, trace } = record
  const records = attachRecords(config.home)
  if (script) {
    await writeScript(script)
    await writeScript({ file: agentCommandFile(config.home), text: agentCommand(config.home, dist) })
  }
  await keepDetacher(dist, config.home)
  // The record is written first: everything after it can be undone.
  await records.keep(record)
  if (original !== undefined) await records.backUp(settings, original)
  const made = await mkdir(dirname(settings), { recursive: true })
  try {
    await writeAtomic(settings, trace.after)
  } catch (error) {
    // The folder that was made for it goes too.
    if (made !== undefined) await rmdir(dirname(settings)).catch(() => undefined)
    throw error
  }
  const holdsKey = /"Authorization"|\/grove-[\w-]{32}"/.test(trace.after)
  if (holdsKey) await chmod(settings, 0o600)
  await writeAtomic(report.configuration, configuration)
}

interface Script {
  file: string
  text: string
}

/** What hooks call: the shell script where there is a shell, else Node itself. */
function hookTarget(
  { config, dist, dryRun }: AttachNeeds,
  proxy: string | undefined,
): { target: HookTarget; script?: Script } {
  const client = join(dist, 'hook.cjs')
  if (!existsSync(client)) {
    throw new Trouble(
      `This installation has no hook client at ${tilde(client)}.`,
      'Install Grove again, or build it: npm run build',
    )
  }
  const { home, socket, token } = pathsOf(config)
  const http = {
    url: webUrl(config),
    key: dryRun && !existsSync(token) ? '(created at the first start)' : keysOf(homeToken(token)).hooks,
  }
  const { approvalWaitSeconds } = config.guard
  if (process.platform === 'win32') {
    return { target: { command: { program: process.execPath, args: [client] }, http, approvalWaitSeconds } }
  }
  const file = scriptFile(home)
  const pointed = proxy === undefined ? {} : { proxy: { url: proxy, direct: config.proxy.target } }
  const text = clientScript({ home, socket, node: process.execPath, client, ...pointed })
  return { target: { command: { program: file, args: [] }, http, approvalWaitSeconds }, script: { file, text } }
}

/**
 * Writes our status line where it is wanted, or was before, and none of another program's is in this file or in the
 * user's that it would hide.
 */
function statusLineFor(
  { statusLine = false, config, env, dist, project }: AttachNeeds,
  original: string | undefined,
  before: string | undefined,
): { ours?: string; notes: string[] } {
  const had = statusLineIn(before)
  if (!statusLine && !(had !== undefined && isOurStatusLine(had))) return { notes: [] }
  const others = [original, ...(project === undefined ? [] : [readIfThere(claudeFiles(env).userSettings)])]
    .map(statusLineIn)
    .filter((command) => command !== undefined && !isOurStatusLine(command))
  if (others.length > 0)
    return {
      notes: [
        'You have a status line, which stays as it is. `grove statusline` prints Grove’s part: call it from yours.',
      ],
    }
  const program =
    process.platform === 'win32' ? `"${process.execPath}" "${join(dist, 'grove.js')}"` : agentCommandFile(config.home)
  return { ours: `${program} statusline`, notes: [] }
}

function statusLineIn(text: string | undefined): string | undefined {
  const reading = parseSettings(text ?? '{}')
  return reading.ok ? statusLineOf(reading.settings) : undefined
}

function agentCommand(home: string, dist: string): string {
  const [at, node, program] = [home, process.execPath, join(dist, 'grove.js')].map(singleQuoted)
  return `#!/bin/sh\n# How agents call this Grove. \`grove init\` writes it.\nGROVE_HOME=${at} exec ${node} ${program} "$@"\n`
}

async function writeScript({ file, text }: Script): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeAtomic(file, text)
  await chmod(file, 0o755)
}

/** A copy of what detaches Grove, for when the package is removed and only the script is left. */
async function keepDetacher(dist: string, home: string): Promise<void> {
  const file = detacherFile(home)
  makeFolder(dirname(file))
  // Not copied in place: on a full disk half of it would stand where the whole has been.
  await writeAtomic(file, await readFile(join(dist, 'detach.cjs'), 'utf8'))
}

/** A running daemon knows its own address. */
export function webUrl(config: Config): string {
  return runningListeners(config).web?.url ?? localUrlOf(config)
}

function serverEntry({ env, config, dist }: AttachNeeds) {
  const elsewhere = env.GROVE_HOME ? { env: { GROVE_HOME: config.home } } : {}
  // Newer clients load tools on demand; an agent that is told to call ours must find them.
  return {
    type: 'stdio',
    command: process.execPath,
    args: [join(dist, 'grove.js'), 'mcp'],
    alwaysLoad: true,
    ...elsewhere,
  }
}

function placeOf(settings: string): Omit<AttachRecord, 'trace'> {
  const found = statSync(settings, { throwIfNoEntry: false })
  const folder = dirname(settings)
  return {
    settings,
    ...(found && { mode: found.mode & 0o777 }),
    ...(!existsSync(folder) && { madeFolder: folder }),
  }
}

/** The base URL is left alone until a proxy has proved itself at that port. */
function pointedPast(variables: Record<string, string>, original: string | undefined, { proxy }: Config) {
  const { ANTHROPIC_BASE_URL: before = proxy.target } = variablesIn(original)
  return { ...variables, ...(variables.ANTHROPIC_BASE_URL !== undefined && { ANTHROPIC_BASE_URL: before }) }
}

function variablesIn(text: string | undefined): Record<string, string> {
  const reading = parseSettings(text ?? '{}')
  return reading.ok ? envOf(reading.settings) : {}
}
