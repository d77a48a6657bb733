import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import type { Config } from '#config/config.ts'
import { environment, readConfig } from '#config/load.ts'
import { projectRoot } from '#config/paths.ts'
import type { LearningBackend } from '#core/learning/query.ts'
import { type BackendName, chooseBackends } from '#core/learning/routing.ts'
import type { Clock, Log, StateStore } from '#core/ports.ts'
import { linesChanged, treeNow } from '#exec/changes.ts'
import { parseShell } from '#exec/syntax/shell.ts'
import { currentTicket, detectSystem, findTicket } from '#exec/tickets/tickets.ts'
import { markdownBackend } from '#storage/backends/markdown.ts'
import { hasTotalRecall, totalRecallBackend } from '#storage/backends/total-recall.ts'
import { learningsFile, mergeByUnion } from '#storage/files/learnings-md.ts'
import { statsLog } from '#storage/files/stats-log.ts'
import { readTranscript, transcriptEnd } from '#storage/files/transcript-file.ts'
import type { LearningSettings, LearningWorld, Library } from '#supervisor/learning/world.ts'
import { memoryServers } from './memory-servers.ts'

interface Needs {
  config: Config
  states: StateStore
  clock: Clock
  log: Log
}

/** Everything the learning gate needs, on this machine. */
export function learningWorld({ config, states, clock, log }: Needs): LearningWorld {
  const servers = memoryServers()
  return {
    states,
    clock,
    log,
    // Short enough to be typed; 48 random bits are plenty for the learnings of a project.
    newId: (prefix) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 12)}`,
    settingsAt: (cwd) => readConfig({ env: { ...environment(), GROVE_HOME: config.home }, cwd }).config,
    rootOf: (cwd) => projectRoot(cwd, config.home) ?? cwd,
    parseShell,
    tickets: { detectSystem, currentTicket, findTicket },
    changes: { treeNow, linesChanged },
    libraryAt: (root, settings) => openLibrary(root, settings, servers.for(settings), { states, clock }),
    transcript: readTranscript,
    transcriptEnd,
    command: groveCommand(),
    close: servers.close,
  }
}

function openLibrary(
  root: string,
  settings: LearningSettings,
  mcp: LearningBackend | undefined,
  needs: Pick<Needs, 'states' | 'clock'>,
): Library {
  const folder = join(root, '.grove')
  const file = learningsFile(join(folder, 'learnings.md'))
  const ownFile = learningsFile(join(settings.home, 'personal-learnings.md'))
  const log = join(folder, 'stats.log')
  const markdown = markdownBackend(file, 'markdown', () => mergeByUnion(file.path, log))
  const recall = hasTotalRecall(root) ? totalRecallBackend(root) : undefined
  const open: Partial<Record<BackendName, LearningBackend>> = {
    markdown,
    ...(recall && { 'total-recall': recall }),
    ...(mcp && { mcp }),
  }
  const names = chooseBackends(settings.backends, (name) => open[name] !== undefined)
  const shared = names.flatMap((name) => open[name] ?? [])
  return {
    shared,
    ...(!shared.includes(markdown) && settings.backends.overrides.markdown !== false && { fallback: markdown }),
    personal: markdownBackend(ownFile, 'personal'),
    ...(recall && names.includes('total-recall') && { daily: recall }),
    stats: statsLog(log, needs),
    personalStats: statsLog(join(settings.home, 'stats.log'), needs),
    change: async (id, change) => (await file.change(id, change)) || (await ownFile.change(id, change)),
    isBegun: () => existsSync(folder),
  }
}

/** How an agent's shell calls this Grove: by name where that is on its path, else by the files it consists of. */
function groveCommand(): string {
  const folders = (environment().PATH ?? '').split(delimiter)
  if (folders.some((folder) => folder !== '' && existsSync(join(folder, 'grove')))) return 'grove'
  const started = process.argv[1]
  if (started === undefined || !existsSync(started)) return 'grove'
  const real = realpathSync(started)
  const entry = basename(real) === 'grove.js' ? real : join(dirname(real), 'grove.js')
  return existsSync(entry) ? `${quote(process.execPath)} ${quote(entry)}` : 'grove'
}

function quote(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
