import type { ReadShell } from '#core/action/reading.ts'
import { type Episode, episodesOf, memoryOfEpisode, type Told } from '#core/memory/import-transcript.ts'
import { changed, type Memory } from '#core/memory/memory.ts'
import { kinship } from '#core/memory/merge.ts'
import type { TranscriptFile } from '#core/ports/import.ts'
import type { Project } from '#core/session.ts'
import { SLOTS } from '../state-slots.ts'
import { emptyReport, type ImportProgress, type ImportReport, keepAll, leaveOut } from './import-report.ts'
import { inProject } from './project-paths.ts'
import { KIN } from './remember.ts'
import type { MemoryWorld } from './world.ts'

export interface TranscriptImport {
  world: MemoryWorld
  projectAt(cwd: string): Promise<Project>
  files(): Promise<TranscriptFile[]>
  toldIn(path: string): Promise<Told[]>
  loadShell(): Promise<ReadShell>
  idFor(...parts: string[]): string
}

export interface TranscriptWish {
  /** Only work in this project; without it, in all. */
  projectId?: string
  user?: string
  /** Read everything, also what was read before. */
  again?: boolean
}

/** Makes memories of the work in Claude Code's own transcripts. What was read and has not changed since is skipped. */
export async function importTranscripts(
  needs: TranscriptImport,
  wish: TranscriptWish,
  progress: ImportProgress = () => {},
): Promise<ImportReport> {
  const { states } = needs.world.store
  const report = emptyReport()
  const files = await needs.files()
  const now = needs.world.clock.now
  for (const [index, file] of files.entries()) {
    const key = `transcript:${wish.projectId ?? '*'}:${file.path}`
    const mark = `${file.bytes}:${file.changedAt}`
    if (wish.again || (await states.get(SLOTS.memoryImport, key)) !== mark) {
      const episodes = episodesOf(file.sessionId, await needs.toldIn(file.path), await needs.loadShell())
      for (const episode of episodes) await take(needs, wish, file, episode, report)
      await states.put(SLOTS.memoryImport, key, mark, now())
    }
    progress(report, (index + 1) / files.length)
  }
  return report
}

async function take(
  needs: TranscriptImport,
  wish: TranscriptWish,
  { sessionId }: TranscriptFile,
  episode: Episode,
  report: ImportReport,
) {
  const { world } = needs
  if (episode.cwd === undefined) return
  const project = await needs.projectAt(episode.cwd)
  if (wish.projectId !== undefined && project.id !== wish.projectId) return
  report.read++
  if (!world.settingsAt(project.root).remember) return leaveOut(report, 'its project remembers nothing')
  const id = needs.idFor('transcript', episode.key)
  const owner = { id, projectId: project.id, sessionId, ...(wish.user && { user: wish.user }) }
  const memory = memoryOfEpisode(fromRoot(episode, project.root), owner)
  if (!memory) return leaveOut(report, 'nothing was changed')
  if (await isRemembered(world, memory)) {
    report.known++
    return
  }
  await world.store.projects.put(project)
  // A conversation that has gone on since tells more; what a person has edited stays as they left it.
  await keepAll(world.store.memories, [memory], report, (there, fresh) =>
    there.updatedAt === undefined && there.reasoningTrace.join() !== fresh.reasoningTrace.join()
      ? changed(there, fresh, world.clock.now())
      : undefined,
  )
}

function fromRoot(episode: Episode, root: string): Episode {
  const named = inProject({ ...(episode.cwd && { cwd: episode.cwd }), root })
  const steps = episode.steps.map((step) => ({ ...step, files: step.files.map(named) }))
  return { ...episode, steps, files: episode.files.map(named) }
}

/** Grove was there itself, or another transcript tells the same. */
async function isRemembered({ store, find }: MemoryWorld, memory: Memory): Promise<boolean> {
  const found = await find(memory.projectId, { text: memory.goal, files: memory.files, limit: KIN, copies: true })
  const candidates = await store.memories.byIds(found.map(({ memoryId }) => memoryId))
  return candidates.some((older) => older.id !== memory.id && kinship(memory, older) === 'same')
}
