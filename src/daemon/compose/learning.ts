import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import type { Config } from '#config/config.ts'
import { environment } from '#config/load.ts'
import { projectRoot } from '#config/paths.ts'
import { type BackendName, chooseBackends } from '#core/learning/routing.ts'
import type { LearningBackend, LearningSettings, Library, StatsLog } from '#core/ports/learning.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import type { InjectionStore } from '#core/ports/store.ts'
import type { GitCache } from '#exec/git/cache.ts'
import { watchedTrees } from '#exec/git/changes.ts'
import { readTranscript, transcriptEnd } from '#exec/read-transcript.ts'
import { currentTicket, detectSystem, findTicket } from '#exec/tickets/tickets.ts'
import type { LiveEvent } from '#protocol/live.ts'
import { shellWord } from '#protocol/shell-word.ts'
import { markdownBackend } from '#storage/backends/markdown.ts'
import { storeBackend } from '#storage/backends/store.ts'
import { hasTotalRecall, totalRecallBackend } from '#storage/backends/total-recall.ts'
import { type LearningsFile, learningsFile, mergeByUnion } from '#storage/files/learnings-md.ts'
import { withLock } from '#storage/files/lock.ts'
import { statsLog } from '#storage/files/stats-log.ts'
import { Prefetch } from '#supervisor/learning/prefetch.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'
import { BackgroundJobs } from '#supervisor/queue/background-jobs.ts'
import { SLOTS } from '#supervisor/state-slots.ts'
import { agentCommandFile } from '../attach/hook-client-files.ts'
import { memoryServers } from './memory-servers.ts'
import { projectFolder } from './project-folder.ts'
import { openedLater, statsFile } from './project-log.ts'
import type { SettingsAt } from './project-settings.ts'
import { type SeenLearnings, seenLearnings, takenOut } from './removed-learnings.ts'
import { tools } from './tools.ts'

interface Needs {
  config: Config
  settingsAt: SettingsAt
  states: StateStore
  injections: InjectionStore
  git: GitCache
  clock: Clock
  log: Log
  publish?: (event: LiveEvent) => void
  /** Runs work that no answer depends on, after the answer was sent; without it, that work is done first. */
  later?: (job: () => void) => void
}

export interface OpenLearning extends LearningWorld {
  /** Finishes background work, and ends the servers that were started for backends. */
  close(): Promise<void>
}

/** Everything the learning gate needs, on this machine. */
export function learningWorld(needs: Needs): OpenLearning {
  const { config, settingsAt, states, injections, git, clock, log, publish = () => {}, later } = needs
  const servers = memoryServers(git.projectAt)
  const background = new BackgroundJobs(log, later)
  const prefetch = later && new Prefetch()
  const shelf: Shelf = {
    files: onceFor((path, root) => learningsFile(path, root)),
    logs: onceFor((path) => statsLog(path, { states, slot: SLOTS.stats, clock, readsAhead: later !== undefined })),
    projectId: async (root) => (await git.projectAt(root)).id,
    folder: async (root) => projectFolder(config.home, (await git.projectAt(root)).id),
    seen: seenLearnings(states, clock),
  }
  return {
    states,
    injections,
    publish,
    clock,
    log,
    // Short enough to be typed; 48 random bits are plenty for the learnings of a project.
    newId: (prefix) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 12)}`,
    settingsAt: learningSettings(settingsAt),
    rootOf: (cwd) => projectRoot(cwd, config.home) ?? cwd,
    tools,
    authorAt: async (root) => config.memory.user ?? (await git.workPlaceAt(root)).user,
    tickets: { detectSystem, currentTicket, findTicket },
    changes: watchedTrees(clock.now),
    libraryAt: libraries((root, settings, hasRecall) =>
      openLibrary(root, settings, { hasRecall, mcp: servers.for(settings, root) }, shelf),
    ),
    transcript: readTranscript,
    transcriptEnd,
    get command() {
      return groveCommand(config.home)
    },
    background,
    ...(prefetch && { prefetch }),
    async close() {
      await prefetch?.close()
      await background.idle()
      await servers.close()
    },
  }
}

/** Without `memory.remember` the gate asks for nothing; without `memory.inject` no learning is shown. */
function learningSettings(settingsAt: SettingsAt): LearningWorld['settingsAt'] {
  // The same settings must stay the same object: a library is opened anew for others.
  const known = new WeakMap<Config, LearningSettings>()
  return (cwd) => {
    const config = settingsAt(cwd)
    const { memory, gate, retrieval } = config
    if (memory.remember && memory.inject) return config
    const settings = known.get(config) ?? {
      ...config,
      gate: { ...gate, enabled: gate.enabled && memory.remember },
      retrieval: { ...retrieval, maxInjections: memory.inject ? retrieval.maxInjections : 0 },
    }
    known.set(config, settings)
    return settings
  }
}

/** One per file, since each caches what it has read. */
function onceFor<T>(make: (path: string, root?: string) => T): (path: string, root?: string) => T {
  const made = new Map<string, T>()
  return (path, root) => {
    const known = made.get(path) ?? make(path, root)
    made.set(path, known)
    return known
  }
}

interface Shelf {
  files: (path: string, root?: string) => LearningsFile
  logs: (path: string) => StatsLog
  /** Where the home keeps what belongs to a project, whichever of its worktrees and clones this is. */
  folder(root: string): Promise<string>
  seen: SeenLearnings
  projectId(root: string): Promise<string>
}

/** A project's library is put together again when its settings have changed, or another backend has turned up. */
function libraries(
  open: (root: string, settings: LearningSettings, hasRecall: boolean) => Library,
): LearningWorld['libraryAt'] {
  const known = new Map<string, { settings: LearningSettings; hasRecall: boolean; library: Library }>()
  return (root, settings) => {
    const hasRecall = hasTotalRecall(root)
    const kept = known.get(root)
    if (kept?.settings === settings && kept.hasRecall === hasRecall) return kept.library
    const library = open(root, settings, hasRecall)
    known.set(root, { settings, hasRecall, library })
    return library
  }
}

function openLibrary(
  root: string,
  settings: LearningSettings,
  { hasRecall, mcp }: { hasRecall: boolean; mcp: LearningBackend | undefined },
  { files, logs, folder: folderOf, seen, projectId }: Shelf,
): Library {
  const folder = join(root, '.grove')
  const file = files(join(folder, 'learnings.md'), root)
  const store = storeBackend(async () => files(join(await folderOf(root), 'learnings.md')))
  const ownFile = files(join(settings.home, 'personal-learnings.md'))
  const markdown = markdownBackend(file, 'markdown', async ({ id }) => {
    await seen.note(root, [id])
    await mergeByUnion(file.path, root)
  })
  const recall = hasRecall ? totalRecallBackend(root) : undefined
  const open: Partial<Record<BackendName, LearningBackend>> = {
    markdown,
    ...(recall && { 'total-recall': recall }),
    ...(mcp && { mcp }),
  }
  const names = chooseBackends(settings.backends, (name) => open[name] !== undefined)
  const register = names.includes('total-recall') ? recall : undefined
  // Files first: they can be changed, so their copy is the newer one where a server holds the same learning.
  const filesFirst = [...names].sort((a, b) => Number(a === 'mcp') - Number(b === 'mcp'))
  const shared = filesFirst.flatMap((name) => open[name] ?? [])
  return {
    shared,
    store,
    ...(!shared.includes(markdown) && settings.backends.overrides.markdown !== false && { fallback: markdown }),
    personal: markdownBackend(ownFile, 'personal'),
    ...(register && { daily: register }),
    stats: openedLater(async () => logs(await statsFile(join(folder, 'stats.log'), await folderOf(root)))),
    personalStats: logs(join(settings.home, 'stats.log')),
    // A lock of its own: the file's is taken by every write.
    alone: (work) => withLock(`${file.path} reflection`, work),
    async change(id, change) {
      const holders = [file, ...(register ? [register] : []), store, ownFile]
      const changed = await Promise.all(holders.map((one) => one.change(id, change)))
      return changed.includes(true)
    },
    projectId: () => projectId(root),
    takenOut: (ids) => takenOut(root, file, ids, seen),
    shareFile: async () => store.adopt(await file.read()),
  }
}

/** How an agent's shell calls this Grove: as \`grove init\` has allowed it, by name, or by the files it consists of. */
function groveCommand(home: string): string {
  const allowed = agentCommandFile(home)
  if (existsSync(allowed)) return shellWord(allowed)
  const folders = (environment().PATH ?? '').split(delimiter)
  if (folders.some((folder) => folder !== '' && existsSync(join(folder, 'grove')))) return 'grove'
  const started = process.argv[1]
  if (started === undefined || !existsSync(started)) return 'grove'
  const real = realpathSync(started)
  const entry = basename(real) === 'grove.js' ? real : join(dirname(real), 'grove.js')
  return existsSync(entry) ? `${shellWord(process.execPath)} ${shellWord(entry)}` : 'grove'
}
