import { createReadStream, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Env } from '#config/load.ts'
import { Trouble } from '#config/trouble.ts'
import type { Refusal } from '#core/refusal.ts'
import type { Project } from '#core/session.ts'
import { projectAt } from '#exec/git/git.ts'
import { aside, commitsOf, headOf, isBehind, isTime, lengthOf } from '#exec/import/git-history.ts'
import { idFor } from '#exec/import/ids.ts'
import { toldIn, transcriptFiles } from '#exec/import/transcripts.ts'
import { memoize } from '#exec/memoize.ts'
import { type MemoryUseTold, memoryUses } from '#server/memory-uses.ts'
import {
  editMemory,
  listMemories,
  type MemoryEdit,
  type MemoryEntry,
  type MemoryHit,
  type MemoryPage,
  removeMemory,
  type SearchWish,
  searchMemories,
  showMemory,
} from '#supervisor/memory/catalogue.ts'
import { importGit } from '#supervisor/memory/import-git.ts'
import { exportLines, importLines } from '#supervisor/memory/import-lines.ts'
import type { ImportProgress, ImportReport } from '#supervisor/memory/import-report.ts'
import { importTranscripts } from '#supervisor/memory/import-transcripts.ts'
import { inProject } from '#supervisor/memory/project-paths.ts'
import { authorOf } from '#supervisor/memory/remember.ts'
import type { LearningHit } from '#supervisor/search/search-learnings.ts'
import { loadShell } from '../compose/tools.ts'
import type { OpenWorld } from '../compose/world.ts'

export type { ImportReport, LearningHit, MemoryEdit, MemoryEntry, MemoryHit, MemoryPage, MemoryUseTold }

/** Where a command was started. */
interface Place {
  cwd: string
  env: Env
}

interface Question {
  text: string
  files: string[]
  limit: number
}

/** What the commands about memories can do; the daemon may run or not. */
export interface MemoryCommands {
  /** The project of the folder the command was started in. */
  project: Project
  search(wish: SearchWish): Promise<MemoryHit[]>
  /** What was learned in this project and bears on a text. */
  searchLearnings(question: Question): Promise<LearningHit[]>
  list(page: Parameters<typeof listMemories>[1]): Promise<MemoryPage>
  show(id: string): Promise<MemoryEntry | Refusal>
  /** The sessions that a memory was shown to, newest first. */
  uses(id: string): Promise<MemoryUseTold[]>
  edit(id: string, edit: MemoryEdit): Promise<MemoryEntry | Refusal>
  remove(id: string): Promise<{ id: string; goal: string } | Refusal>
  importGit(wish: { since?: string; most?: number; again?: boolean }, progress: ImportProgress): Promise<ImportReport>
  importTranscripts(wish: { all: boolean; again: boolean }, progress: ImportProgress): Promise<ImportReport>
  importFile(file: string, move: boolean, progress: ImportProgress): Promise<ImportReport>
  exportLines(projectId: string | undefined): AsyncIterable<string>
  /** Brings the search index up to date. */
  index(progress: (done: number) => void): Promise<number>
}

/** The commands on all memories of this home, and on the project that a folder lies in. */
export async function memoryCommands(opened: OpenWorld, { cwd, env }: Place): Promise<MemoryCommands> {
  const { clock } = opened
  const [store, open, project] = await Promise.all([opened.store(), opened.memory(), projectAt(cwd)])
  const { indexes } = open
  const user = authorOf(open, await open.workPlace(cwd))
  const world = { ...open, ...(user && { user }) }
  // People name files from where they stand, memories from the root of the project.
  const named = inProject({ cwd, root: project.root })
  const remembers = (folder: string) => opened.settingsAt(folder).memory.remember
  const refuseImport = () => {
    if (remembers(project.root)) return
    throw new Trouble(
      `${project.name} remembers nothing: memory.remember is false.`,
      'Take that line out of .grove/config.toml first.',
    )
  }
  return {
    project,
    search: async (wish) => {
      await indexes.catchUp()
      return searchMemories(world, { ...wish, files: wish.files?.map(named) ?? [] })
    },
    searchLearnings: (question) => searchProjectLearnings(opened, cwd, question),
    list: (page) => listMemories(world, page),
    show: (id) => showMemory(world, id),
    uses: (id) => memoryUses(store, id),
    edit: (id, edit) => editMemory(world, id, edit),
    remove: (id) => removeMemory(world, id),
    async importGit(wish, progress) {
      refuseImport()
      if (wish.since !== undefined && !(await isTime(project.root, wish.since, clock.now()))) {
        throw new Trouble(
          `--since takes a time; git does not understand "${wish.since}".`,
          'Try --since 2025-01-01 or --since "6 months ago".',
        )
      }
      await store.projects.put(project)
      const history = { headOf, isBehind, lengthOf, commitsOf, aside }
      const report = await importGit(
        { store, clock, history, idFor },
        { projectId: project.id, root: project.root, ...wish },
        progress,
      )
      if (report) return report
      throw new Trouble(`${project.root} has no git history.`, 'Run it in a project with at least one commit.')
    },
    async importTranscripts({ all, again }, progress) {
      if (!all) refuseImport()
      const folder = env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude')
      // A transcript names its folder with every prompt; git is asked once.
      const source = {
        world,
        projectAt: memoize(projectAt, Number.POSITIVE_INFINITY),
        files: () => transcriptFiles(folder),
        toldIn,
        idFor,
        loadShell,
      }
      const user = world.user === undefined ? {} : { user: world.user }
      return importTranscripts(source, { ...(all ? {} : { projectId: project.id }), ...user, again }, progress)
    },
    async importFile(file, move, progress) {
      refuseImport()
      await store.projects.put(project)
      const known = await store.projects.list()
      const closed = known.filter(({ root }) => !remembers(root)).map(({ id }) => id)
      let bytes = 0
      const size = file === '-' ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0)
      const lines = linesOf(file, (more) => {
        bytes += more
      })
      const copyId = (id: string, projectId: string) => idFor('copy', projectId, id)
      return importLines(store.memories, lines, { projectId: project.id, closed, ...(move && { copyId }) }, (report) =>
        progress(report, size === 0 ? 0 : bytes / size),
      )
    },
    exportLines: (projectId) => exportLines(store.memories, projectId),
    index: (progress) =>
      indexes.catchUp((done) => {
        progress(done)
        return false
      }),
  }
}

/** What a project's own files say that bears on a text. They come with its clone, so this works on an empty home too. */
export async function searchProjectLearnings(
  opened: OpenWorld,
  cwd: string,
  { text, files, limit }: Question,
): Promise<LearningHit[]> {
  const [world, { root }, { allLearnings }, { searchLearnings }, { indexOf }] = await Promise.all([
    opened.learning(),
    projectAt(cwd),
    import('#supervisor/learning/retrieve.ts'),
    import('#supervisor/search/search-learnings.ts'),
    import('../compose/search-index.ts'),
  ])
  const { learnings } = await allLearnings(world, world.libraryAt(world.rootOf(cwd), world.settingsAt(cwd)))
  const named = files.map(inProject({ cwd, root }))
  return searchLearnings(learnings, { text, files: named, limit, now: opened.clock.now() }, indexOf)
}

const UNREADABLE: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'no permission',
}

/** A memory has some kilobytes. What has no line end, such as a device, would be held until there is no more room for it. */
const LONGEST_LINE = 16 * 1024 * 1024

async function* linesOf(file: string, read: (bytes: number) => void): AsyncGenerator<string> {
  const input = file === '-' ? process.stdin : createReadStream(file)
  let since = 0
  input.on('data', (chunk: Buffer) => {
    read(chunk.length)
    const end = chunk.lastIndexOf(0x0a)
    since = end < 0 ? since + chunk.length : chunk.length - end - 1
    if (since > LONGEST_LINE) input.destroy(tooLong(file))
  })
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  } catch (error) {
    const why = UNREADABLE[(error as NodeJS.ErrnoException).code ?? '']
    if (why === undefined) throw error
    throw new Trouble(`${file} cannot be read: ${why}.`, NAME_A_FILE)
  }
}

const NAME_A_FILE =
  'Name a file of JSON lines, or - for standard input. `grove import git` and `grove import transcripts` take no file.'

function tooLong(file: string): Trouble {
  return new Trouble(
    `${file} cannot be read: a line of it is longer than ${LONGEST_LINE / 1024 / 1024} MB.`,
    NAME_A_FILE,
  )
}
