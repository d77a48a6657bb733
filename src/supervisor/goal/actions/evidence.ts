import type { RepoEvidence } from '#core/drift/score.ts'
import type { Task } from '#core/task.ts'
import { covers } from '#core/text/covers.ts'
import { failOpen } from '../../fail-open.ts'
import { withTimeout } from '../../queue/with-timeout.ts'
import { noteLikeWork } from '../../session/lookups.ts'
import type { Place } from '../../session/place.ts'
import type { SessionState } from '../../session/session-state.ts'
import { activeWork } from '../../session/work.ts'
import type { World } from '../../world.ts'

/** A score waits no longer than this for what speaks for an action; a large history is then ready for the next one. */
const TIMEOUT_MS = 1000
const MEMORIES = 5
/** Work that touched more than this says little about any one file. */
const MOST_FILES = 25

/** What the repository and earlier work say for a file. Trouble with either, or a slow answer, means that nothing does. */
export async function evidenceFor(
  world: World,
  session: SessionState,
  task: Task,
  path: string,
): Promise<RepoEvidence> {
  const { place } = session
  if (!place) return {}
  const { root } = place
  const below = subfolder(place)
  const files = [...task.expectedScope, ...session.work.onGoalFiles].map((file) => below + file)
  const repository = failOpen(world.log, 'ask the repository', {}, () => world.evidence(root, below + path, files))
  const [known, earlier] = await Promise.all([
    withTimeout(repository, TIMEOUT_MS, undefined),
    withTimeout(filesOfLikeWork(world, session, task), TIMEOUT_MS, undefined),
  ])
  // Memories of agents name files from where those worked, imported ones from the root.
  const earlierMemory = earlier?.some((file) => covers([file], path) || covers([file], below + path))
  return { ...known, ...(earlierMemory && { earlierMemory }) }
}

/** Where in the project the agent works: steps name files from there, history from the root. */
function subfolder({ cwd, root }: Place): string {
  return cwd.startsWith(`${root}/`) ? `${cwd.slice(root.length + 1)}/` : ''
}

/** The files that earlier work with a like goal touched. Looked up once for each instruction, and only when needed. */
async function filesOfLikeWork(world: World, session: SessionState, task: Task): Promise<readonly string[]> {
  const about = activeWork(session)?.trail.goal ?? task.instruction
  const { likeWork } = session.lookups
  if (likeWork?.about === about) return likeWork.files
  // Noted before it is known: an action that comes while a slow search goes on does not begin another.
  noteLikeWork(session, about, [])
  const files = await failOpen(world.log, 'find like work', [], () => lookUp(world, session, task, about))
  if (session.lookups.likeWork?.about === about) noteLikeWork(session, about, files)
  return files
}

async function lookUp({ memory }: World, session: SessionState, task: Task, about: string): Promise<string[]> {
  const { projectId } = task
  const { place } = session
  if (!projectId || !place) return []
  const atLeast = memory.settingsAt(place.cwd).confidence
  const found = await memory.find(projectId, { text: about, sessionId: session.sessionId, limit: MEMORIES, sure: true })
  // Only what is like it in words: a memory found by its files alone would speak for whatever was open.
  const sure = found.filter(({ confidence, shared }) => confidence >= atLeast && shared.words >= 2)
  const memories = await memory.store.memories.byIds(sure.map(({ memoryId }) => memoryId))
  return memories
    .filter(
      (one) => one.projectId === projectId && !one.tags.includes('needs-review') && one.files.length <= MOST_FILES,
    )
    .flatMap(({ files }) => files)
}
