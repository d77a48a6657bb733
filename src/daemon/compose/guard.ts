import { randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Config } from '#config/config.ts'
import { environment } from '#config/load.ts'
import { absolute, pathsOf } from '#config/paths.ts'
import { readPlain } from '#config/plain-file.ts'
import { version } from '#config/version.ts'
import { readIntentIgnore } from '#core/intent/intent.ts'
import { scopeMatcher } from '#core/intent/scope.ts'
import type { GuardedProject, GuardSettings } from '#core/ports/guard.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import type { TaskStore } from '#core/ports/store.ts'
import { readRecord, viewOf } from '#core/trace/view.ts'
import { contentNames } from '#exec/content-names.ts'
import { readContent, sha256 } from '#exec/file-hash.ts'
import { entriesMatching, filesBelow } from '#exec/find-files.ts'
import { headBranch, headRevision } from '#exec/git/head.ts'
import { repositoryChanges, repositoryState } from '#exec/git/repository-state.ts'
import { treeWatches } from '#exec/git/tree-watch.ts'
import {
  dropCopies,
  ignoredPaths,
  keepCopies,
  listedFiles,
  lookAtTree,
  textsBefore,
  treeChanges,
} from '#exec/git/work-tree.ts'
import { compileGlob } from '#exec/glob.ts'
import { guardedProjectAt, ignoresCaseAt, isFolder, tracedProjectAt } from '#exec/guarded-project.ts'
import { serverOfTool, toolsThatRead } from '#exec/mcp-servers.ts'
import { resolveInProject, resolvePath } from '#exec/paths.ts'
import { transcriptFacts } from '#exec/transcript-facts.ts'
import { type WatchedFile, watchedDigests } from '#exec/watched-files.ts'
import type { GuardEvent } from '#protocol/live.ts'
import { changeText } from '#storage/files/change-text.ts'
import { intentBooks } from '#storage/files/intent-book.ts'
import { mergeByUnion } from '#storage/files/learnings-md.ts'
import { ledgerHeads } from '#storage/files/ledger-heads.ts'
import { appendRecord, ledgerFile, newestLines } from '#storage/files/trace-jsonl.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'
import { BackgroundJobs } from '#supervisor/queue/background-jobs.ts'
import { claudeFiles } from '../attach/claude-files.ts'
import { grantedSeconds } from '../attach/hook-timeouts.ts'
import { inheritLedger, ledgerOf } from './ledger.ts'
import type { SettingsAt } from './project-settings.ts'
import { tools } from './tools.ts'

interface Needs {
  config: Config
  settingsAt: SettingsAt
  states: StateStore
  /** The tasks of agent sessions; absent without a supervisor. */
  tasks?: Pick<TaskStore, 'current'>
  clock: Clock
  log: Log
  notify: (event: GuardEvent) => void
  /**
   * Runs work that no answer depends on, after the answer was sent. Only a daemon has it, and watches the working
   * trees.
   */
  later?: (job: () => void) => void
}

/** The guard's world on this machine. What is heavy is loaded on use: most hooks need none of it. */
export function guardWorld({
  config,
  settingsAt,
  states,
  tasks,
  clock,
  log,
  notify,
  later,
}: Needs): GuardWorld & { close(): Promise<void> } {
  const { home } = pathsOf(config)
  const trees = later ? treeWatches(join(home, 'guard', 'watch')) : UNWATCHED
  const background = new BackgroundJobs(log, later)
  const heads = ledgerHeads(join(home, 'trace'))
  const unions = new Set<string>()
  const open = intentBooks(join(home, 'cache'))
  const settings = guardSettings(settingsAt, home)
  const copies = (name: string) => join(home, 'guard', name.replace(/[^\w-]/g, '_').slice(0, 100))
  const file = ({ orchestration }: GuardedProject) => join(orchestration, 'active_intents.yaml')
  return {
    async close() {
      await background.idle()
      trees.close()
    },
    background,
    states,
    clock,
    log,
    isDaemon: later !== undefined,
    version,
    newId: () => randomUUID(),
    notify,
    settings: ({ root }) => settings(root),
    projects: {
      at: guardedProjectAt,
      // Without intents the trace is kept in Grove's home, unless the project wants nothing kept.
      traced: (folder) => (settingsAt(folder).memory.remember ? tracedProjectAt(folder, home) : undefined),
      ignoresCase: ignoresCaseAt,
    },
    taskOf: async (sessionId) => {
      const task = await tasks?.current(sessionId)
      return task && { id: task.id, goal: task.goal }
    },
    intents: {
      open: (project) => open(file(project)),
      async ignored({ root, orchestration }) {
        return [orchestration, root].flatMap((folder) => readIntentIgnore(textAt(join(folder, '.intentignore'))))
      },
      async change(project, change) {
        const [{ withIntent, withScope, withStatus }, { readIntents }] = await Promise.all([
          import('#storage/files/intents-edit.ts'),
          import('#storage/files/intents-yaml.ts'),
        ])
        return changeText(file(project), (text) =>
          change({
            ids: readIntents(text).intents.map(({ id }) => id),
            withIntent: (intent) => withIntent(text, intent),
            withStatus: (id, status) => withStatus(text, id, status),
            withScope: (id, globs) => withScope(text, id, globs),
          }),
        )
      },
    },
    inScope: scopeMatcher(compileGlob),
    paths: {
      resolve: (root, cwd, path, options) => resolveInProject(root, cwd, path, options),
      real: (cwd, path, options) => resolvePath(cwd, path, options).absolute,
      isFolder,
      below: filesBelow,
      matching: entriesMatching,
      matches: (glob, path) => compileGlob(glob)(path),
    },
    tools,
    files: { read: readContent, digest: sha256 },
    tree: {
      look: trees.look,
      lookAgain: trees.lookAgain,
      lookAfter: trees.lookAfter,
      listed: listedFiles,
      changes: treeChanges,
      ignored: ignoredPaths,
      keep: (root, paths, name) => keepCopies(root, paths, copies(name)),
      drop: (name) => dropCopies(copies(name)),
      textsBefore,
      revision: headRevision,
      repository: repositoryState,
      repositoryChanges,
    },
    setUp: {
      look: (project) => watchedDigests(watchedFiles(project, home)),
      keep(paths, name) {
        const kept = keepCopies(
          '/',
          paths.map((path) => relative('/', path)),
          copies(`${name}-set-up`),
        )
        return Object.fromEntries(Object.entries(kept).map(([path, copy]) => [`/${path}`, copy]))
      },
    },
    contents: contentNames,
    ledger: {
      append({ root, orchestration, undeclared }, record) {
        if (undeclared) mkdirSync(orchestration, { recursive: true, mode: 0o700 })
        const file = ledgerFile(orchestration)
        if (!undeclared) inheritLedger({ root, orchestration }, home)
        const written = appendRecord(file, record)
        const hash = written.metadata?.['dev.grove']?.chain?.hash
        if (hash) heads.note(file, headBranch(root) ?? '', hash)
        if (undeclared || unions.has(file)) return
        unions.add(file)
        mergeByUnion(file, orchestration).catch((error: unknown) =>
          log.warn({ err: error, file }, 'git is not told to merge the ledger by lines'),
        )
      },
      recentOf: (project, intentId, limit) => recentOf(ledgerOf(project, home), intentId, limit),
    },
    transcripts: { facts: transcriptFacts },
    servers: {
      ofTool: ({ root }, tool) => serverOfTool(root, tool, environment()),
      reading: ({ root }, server) =>
        toolsThatRead(server, { cwd: root, env: environment(), version, waitMs: SERVER_WAIT_MS }),
    },
    lessons: {
      async add(root, lesson, date) {
        const { addLesson } = await import('#storage/files/claude-md.ts')
        return addLesson(root, lesson, date)
      },
    },
    async classify(before, after, path) {
      const { classifyMutation } = await import('#exec/syntax/parse.ts')
      return classifyMutation(before, after, path)
    },
  }
}

const UNWATCHED = { look: lookAtTree, lookAgain: lookAtTree, lookAfter: lookAtTree, close: () => {} }

const MOST_PROJECTS = 200

/** Between the end of the wait and the client's patience: a hook that is cut off lets the call pass. */
const MARGIN_SECONDS = 10
/** The hook command itself gives up a little later than this. */
const MOST_SECONDS = 570

function shorterThan(granted: number): number {
  return granted > 2 * MARGIN_SECONDS ? granted - MARGIN_SECONDS : granted / 2
}

/** With these keys a settings file switches hooks off, or sends the client elsewhere. */
const TELLING_KEYS = ['hooks', 'disableAllHooks', 'allowManagedHooksOnly', 'env', 'enabledPlugins', 'apiKeyHelper']

/** The client's settings, the hook client and Grove's rules. What lies in the project is compared with the tree, unless git ignores it. */
function watchedFiles({ root, orchestration, undeclared }: GuardedProject, home: string): WatchedFile[] {
  const { userSettings, projectSettings } = claudeFiles(environment())
  const settings = [userSettings, projectSettings(root), join(root, '.claude', 'settings.json')]
  const rules = [
    ...[join(root, '.grove', 'config.toml'), join(root, '.intentignore')],
    ...(undeclared ? [] : ['active_intents.yaml', '.intentignore'].map((name) => join(orchestration, name))),
  ]
  const own = ['config.toml', 'grove-hook', 'hook.cjs'].map((name) => join(home, name))
  return [...settings.map((path) => ({ path, keys: TELLING_KEYS })), ...[...rules, ...own].map((path) => ({ path }))]
}

/** Grove's own home, and what the client is told to do before and after every tool. */
function setUp(home: string): string[] {
  const client = environment().CLAUDE_CONFIG_DIR || join(environment().HOME || homedir(), '.claude')
  const settings = ['settings.json', 'settings.local.json'].map((name) => join(client, name))
  return [realFolder(home), ...settings]
}

function realFolder(path: string): string {
  return isFolder(path) ? realpathSync(path) : path
}

/** A server that takes longer to start is asked again later; until then its tools need an intent. */
const SERVER_WAIT_MS = 4000

/** The guard's share of the settings, worked out once for each reading of them. */
function guardSettings(settingsAt: SettingsAt, home: string): (root: string) => GuardSettings {
  const known = new Map<string, { config: Config; settings: GuardSettings }>()
  return (root) => {
    const config = settingsAt(root)
    const kept = known.get(root)
    if (kept?.config === config) return kept.settings
    const { guard } = config
    const readOnly = guard.readOnlyTools.map(compileGlob)
    const settings = {
      // Read at every wait: the setting may have changed since `grove init`, the timeout in the client's settings has not.
      get approvalWaitMs() {
        return (
          Math.min(guard.approvalWaitSeconds, MOST_SECONDS, shorterThan(grantedSeconds(root, environment()))) * 1000
        )
      },
      askIn: guard.askIn,
      outside: guard.outside.map((glob) => absolute(glob, home)),
      temporary: guard.temporary.map((folder) => realFolder(absolute(folder === '$TMPDIR' ? tmpdir() : folder, home))),
      setUpIn: setUp(home),
      always: guard.always,
      isReadOnlyTool: (name: string) => readOnly.some((matches) => matches(name)),
    }
    if (known.size >= MOST_PROJECTS) known.clear()
    known.set(root, { config, settings })
    return settings
  }
}

/** Read before every write, and mostly the file is not there: a `stat` that returns undefined is far cheaper than an error. */
function textAt(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? '' : readPlain(path).toString('utf8')
}

/** Recent work is at the end of the ledger; how it began does not help to go on with it. */
const RECENT_BYTES = 8 * 1024 * 1024

async function recentOf(ledger: string, intentId: string, limit: number) {
  const views = []
  const mark = JSON.stringify(intentId)
  for await (const { text } of newestLines(ledger, RECENT_BYTES)) {
    const record = text.includes(mark) ? readRecord(text) : undefined
    const view = record && viewOf(record)
    if (view?.intent === intentId) views.push(view)
    if (views.length >= limit) break
  }
  return views
}
