import type { GuardedProject } from '#core/ports/guard.ts'
import { redact } from '#core/redact/redact.ts'
import { changedRanges, likeness, linesOf } from '#core/trace/lines.ts'
import { type FileChange, recordOf } from '#core/trace/record.ts'
import { failOpen } from '../../fail-open.ts'
import type { Agent, Selection } from '../intents/active-intent.ts'
import type { GuardWorld } from '../world.ts'

/** Who changed something, with which call, and what for. */
export interface Author extends Agent {
  tool: string
  toolUseId?: string
  transcript?: string
  command?: string
  selection?: Selection
}

/** A file before and after, not yet compared. */
export type RawChange = Omit<FileChange, 'mutation'>

/** A command that touches more files than this gets more than one line in the ledger. */
const MOST_FILES = 100
const MOST_COMMAND = 500
/** Comparing syntax trees takes its time, and the agent waits. */
const MOST_COMPARED = 50
const UNSURE = { class: 'INTENT_EVOLUTION' as const, why: 'not compared' }
const NO_TEXT = { class: 'INTENT_EVOLUTION' as const, why: 'no text' }

/** Writes what was changed into the ledger. A ledger that cannot be written does not stop the agent. */
export async function traceChange(
  world: GuardWorld,
  project: GuardedProject,
  author: Author,
  changes: readonly RawChange[],
  outOfScope = false,
): Promise<void> {
  for (let from = 0; from < changes.length; from += MOST_FILES) {
    await failOpen(world.log, 'write the trace', undefined, () =>
      traceSome(world, project, author, changes.slice(from, from + MOST_FILES), outOfScope),
    )
  }
}

type Moved = RawChange & { movedTo?: string }

/** A file that is gone here and there again under another name was moved: moving it is not writing its lines. */
function movesIn(changes: readonly RawChange[]): Moved[] {
  const all: Moved[] = changes.map((change) => ({ ...change }))
  const gone = all.filter(({ change, before }) => change === 'delete' && before?.trim())
  for (const there of all) {
    if (there.change !== 'create' || !there.after?.trim()) continue
    const free = gone.filter(({ movedTo }) => movedTo === undefined)
    const from = free.find(({ before }) => before === there.after) ?? mostAlike(there.after, free)
    if (!from) continue
    from.movedTo = there.path
    there.before = from.before!
  }
  return withMovedLines(all)
}

/** Moved and edited in one go: what both say was not written here. */
function mostAlike(after: string, gone: readonly Moved[]): Moved | undefined {
  const [best] = gone.map((from) => ({ from, alike: likeness(from.before!, after) })).sort((a, b) => b.alike - a.alike)
  return best && best.alike >= MOVED_LIKENESS ? best.from : undefined
}

const MOVED_LIKENESS = 0.5

/** Lines that one file lost and another gained in the same call were moved, not written. */
function withMovedLines(changes: Moved[]): Moved[] {
  return changes.map((change) => {
    const lost = changes.flatMap((other) => (other.path === change.path || other.movedTo ? [] : lostBlocks(other)))
    return lost.length > 0 ? { ...change, movedIn: lost } : change
  })
}

function lostBlocks({ before, after = '' }: Moved): string[][] {
  if (before === undefined) return []
  const was = linesOf(before)
  return changedRanges(linesOf(after), was).map(({ start, end }) => was.slice(start - 1, end))
}

async function traceSome(
  world: GuardWorld,
  project: GuardedProject,
  author: Author,
  changes: readonly RawChange[],
  outOfScope: boolean,
): Promise<void> {
  const { sessionId, agentId, tool, toolUseId, transcript, command, selection } = author
  const [{ model }, task] = await Promise.all([
    world.transcripts.facts(transcript, agentId),
    taskOf(world, project, sessionId),
  ])
  const revision = world.tree.revision(project.root)
  const files: FileChange[] = []
  // Without a declaration there is nothing to compare what was done with.
  const isMany = changes.length > MOST_COMPARED || project.undeclared === true
  for (const change of movesIn(changes)) {
    files.push({ ...change, mutation: isMany ? UNSURE : await classified(world, change) })
  }
  const record = recordOf(
    {
      id: world.newId(),
      at: world.clock.now(),
      ...(revision && { revision }),
      grove: { version: world.version },
      session: sessionId,
      ...(agentId && { agent: agentId }),
      ...(model && { model }),
      ...(task && { task }),
      tool,
      ...(toolUseId && { toolUseId }),
      ...(command && { command: redact(command).slice(0, MOST_COMMAND) }),
      ...(selection && { intent: selection.intentId }),
      ...(selection?.declared && { declared: selection.declared }),
      outOfScope,
      files,
    },
    world.files.digest,
  )
  world.ledger.append(project, record)
}

const MOST_GOAL = 120

async function taskOf(world: GuardWorld, { undeclared }: GuardedProject, sessionId: string) {
  const task = await failOpen(world.log, 'find the task', undefined, () => world.taskOf(sessionId))
  return task && { id: task.id, ...(undeclared && { goal: redact(task.goal).slice(0, MOST_GOAL) }) }
}

/** A parser that fails must not cost us the record. */
async function classified(
  world: GuardWorld,
  { before, after, path, change, movedTo }: Moved,
): Promise<FileChange['mutation']> {
  if (movedTo) return { class: 'AST_REFACTOR', why: `moved to ${movedTo}` }
  if (before === undefined && after === undefined) return NO_TEXT
  if (change === 'modify' && (before === undefined || after === undefined)) return UNSURE
  return failOpen(world.log, `compare ${path}`, UNSURE, () => world.classify(before, after, path))
}
