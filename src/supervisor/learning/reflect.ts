import { decide } from '#core/gate/gate.ts'
import { type GateSession, type Observation, traced } from '#core/gate/session.ts'
import type { Candidate, Learning } from '#core/learning/learning.ts'
import { targetOf } from '#core/learning/routing.ts'
import { twinOf } from '#core/learning/similar.ts'
import type { Turned } from '#core/learning/stats.ts'
import { readCandidate } from '#core/learning/validate.ts'
import { judge } from '#core/learning/write-gate.ts'
import { redact } from '#core/redact.ts'
import { failOpen } from '../fail-open.ts'
import { allLearnings, logFor } from './retrieve.ts'
import { changeSession, limitsOf, loadSession, meantSession } from './sessions.ts'
import type { LearningSettings, LearningWorld, Library } from './world.ts'

export interface ReflectInput {
  cwd: string
  /** Without one, the newest waiting session of the project is meant. */
  sessionId?: string
  candidates: readonly unknown[]
}

/** What became of the candidates. */
export interface Reflection {
  /** Nothing had the right shape: the gate stays as it was, and the agent tries again. */
  ok: boolean
  sessionId?: string
  accepted: (Learning & { storedIn: string[] })[]
  rejected: Turned[]
  /** Accepted ones that nobody could keep; the reflection counts all the same. */
  lost: string[]
  /** What subagents noted, for whoever goes on reflecting. */
  observations: Observation[]
  gate?: string
}

/** An agent says what is worth keeping. Each candidate stands for itself; what passes is written, the rest has reasons. */
export async function reflect(world: LearningWorld, input: ReflectInput): Promise<Reflection> {
  const settings = world.settingsAt(input.cwd)
  const root = world.rootOf(input.cwd)
  const library = world.libraryAt(root, settings)
  const session = await sessionFor(world, root, input.sessionId)
  const read = input.candidates.map(readCandidate)
  const shaped = read.flatMap((one) => ('candidate' in one ? [one.candidate] : []))
  const misshapen = read.flatMap((one) => ('rejection' in one ? [redactedRejection(one.rejection)] : []))
  const observations = session?.observations ?? []
  const told = { ...(session && { sessionId: session.sessionId }), observations }
  if (shaped.length === 0) {
    await remember(world, session, troubleOf(misshapen))
    return { ok: false, accepted: [], rejected: misshapen, lost: [], ...told }
  }

  const { kept, turned } = await sift(world, library, session, shaped.map(redacted))
  const accepted: Reflection['accepted'] = []
  const lost: string[] = []
  for (const learning of kept) {
    const storedIn = await store(world, library, learning)
    if (storedIn.length > 0) accepted.push({ ...learning, storedIn })
    else lost.push(learning.summary)
  }
  const rejected = [...misshapen, ...turned]
  await failOpen(world.log, 'record the reflection', undefined, () =>
    record(world, library, session, accepted, rejected),
  )
  const after = await settle(world, settings, session, accepted.length, rejected)
  return { ok: true, accepted, rejected, lost, ...told, ...(after && { gate: after.gate.status }) }
}

/**
 * The session that is named or, without a name that is known, meant: agents shorten and mistype ids. A broken store must
 * not cost a learning.
 */
export function sessionFor(
  world: LearningWorld,
  root: string,
  id: string | undefined,
): Promise<GateSession | undefined> {
  return failOpen(world.log, 'find the session', undefined, async () => {
    const named = id === undefined ? undefined : await loadSession(world, id)
    return named ?? meantSession(world, root)
  })
}

/** Layer 2 and the search for twins, among what is known and among the candidates themselves. */
async function sift(
  world: LearningWorld,
  library: Library,
  session: GateSession | undefined,
  candidates: readonly Candidate[],
): Promise<{ kept: Learning[]; turned: Turned[] }> {
  const { learnings } = await allLearnings(world, library)
  const known = learnings.filter(({ status }) => status === 'active')
  const kept: Learning[] = []
  const turned: Turned[] = []
  for (const candidate of candidates) {
    const { summary, criteriaMet: criteria } = candidate
    const judgement = judge(candidate, { userAskedToRemember: session?.askedToRemember === true })
    if ('reasons' in judgement) {
      turned.push({ summary, criteria, reasons: judgement.reasons, stage: 'write-gate' })
      continue
    }
    // A correction resembles what it corrects, and is welcome.
    const others = [...known, ...kept].filter(({ id }) => id !== candidate.supersedes)
    const twin = twinOf(candidate, others)
    if (twin) {
      const reason = `already known as ${twin.id}: ${twin.summary}`
      turned.push({ summary, criteria, reasons: [reason], stage: 'duplicate' })
      continue
    }
    kept.push(toLearning(world, candidate, session, judgement.criteria))
  }
  return { kept, turned }
}

function toLearning(
  { clock, newId }: LearningWorld,
  candidate: Candidate,
  session: GateSession | undefined,
  criteriaMet: Learning['criteriaMet'],
): Learning {
  const ticketId = candidate.ticketId ?? session?.ticket?.id
  return {
    ...candidate,
    criteriaMet,
    id: newId('lrn'),
    at: clock.now(),
    status: 'active',
    ...(session && { sessionId: session.sessionId }),
    ...(ticketId !== undefined && { ticketId }),
  }
}

/** Writes a learning where its scope sends it. Resolves to the names of those that took it. */
async function store({ log }: LearningWorld, library: Library, learning: Learning): Promise<string[]> {
  const target = targetOf(learning.scope, library.daily !== undefined)
  const write = (name: string, work: () => Promise<void>) =>
    failOpen<string[]>(log, `write a learning to ${name}`, [], async () => {
      await work()
      return [name]
    })
  switch (target) {
    case 'nowhere':
      return ['nowhere']
    case 'daily-log':
      return write('daily log', () => library.daily!.note(learning))
    case 'personal':
      return write(library.personal.name, () => library.personal.write(learning))
    case 'shared': {
      const names = await Promise.all(library.shared.map((one) => write(one.name, () => one.write(learning))))
      const taken = names.flat()
      const { fallback } = library
      return taken.length > 0 || !fallback ? taken : write(fallback.name, () => fallback.write(learning))
    }
  }
}

async function record(
  { clock }: LearningWorld,
  library: Library,
  session: GateSession | undefined,
  accepted: readonly Learning[],
  rejected: Turned[],
): Promise<void> {
  const at = clock.now()
  const kept = accepted.map(({ id, category, criteriaMet: criteria }) => ({ id, category, criteria }))
  const ticket = session?.ticket?.id
  const by = session?.sessionId ?? 'none'
  const event = { type: 'reflected' as const, at, session: by, accepted: kept, rejected, ...(ticket && { ticket }) }
  await library.stats.append([event])
  for (const { id, supersedes, scope } of accepted) {
    if (supersedes === undefined) continue
    const log = logFor(library, { scope })
    await log.append([
      { type: 'corrected', at, learning: supersedes },
      { type: 'superseded', at, learning: supersedes, by: id },
    ])
  }
}

/** Whoever has reflected may go, whether or not all of it could be kept. */
function settle(
  world: LearningWorld,
  settings: LearningSettings,
  session: GateSession | undefined,
  accepted: number,
  rejected: readonly Turned[],
): Promise<GateSession | undefined> {
  if (!session) return Promise.resolve(undefined)
  return failOpen(world.log, 'let the session go', undefined, () =>
    changeSession(world, session.sessionId, session.root, (before) => {
      const { gate } = decide(before.gate, { type: 'reflected' }, limitsOf(settings, before.system))
      const { trouble: _, ...rest } = before
      const what = `reflected: ${accepted} kept, ${rejected.length} turned down`
      return traced({ ...rest, gate }, world.clock.now(), what)
    }),
  )
}

/** Keeps why an attempt failed, so that the next stop can say it. */
async function remember(world: LearningWorld, session: GateSession | undefined, trouble: string[]): Promise<void> {
  if (!session) return
  await failOpen(world.log, 'remember the failed reflection', undefined, () =>
    changeSession(world, session.sessionId, session.root, (before) =>
      traced({ ...before, trouble: trouble.slice(0, 10) }, world.clock.now(), 'reflection turned down'),
    ),
  )
}

function troubleOf(rejected: readonly Turned[]): string[] {
  return rejected.map(({ summary, reasons }) => `${summary ? `"${summary}": ` : ''}${reasons.join('; ')}`)
}

function redacted(candidate: Candidate): Candidate {
  return {
    ...candidate,
    summary: redact(candidate.summary),
    detail: redact(candidate.detail),
    tags: candidate.tags.map(redact),
    contextFiles: candidate.contextFiles.map(redact),
  }
}

function redactedRejection(rejection: Turned): Turned {
  return { ...rejection, summary: redact(rejection.summary), reasons: rejection.reasons.map(redact) }
}
