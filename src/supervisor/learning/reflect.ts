import { decide } from '#core/gate/gate.ts'
import { observationLines } from '#core/gate/instructions.ts'
import { type GateSession, type Observation, traced } from '#core/gate/session.ts'
import { contradictionOf, duplicateOf } from '#core/learning/duplicates.ts'
import type { Candidate, Learning } from '#core/learning/learning.ts'
import { targetOf } from '#core/learning/routing.ts'
import type { Turned } from '#core/learning/stats.ts'
import { readCandidate } from '#core/learning/validate.ts'
import { judge } from '#core/learning/write-gate.ts'
import type { LearningSettings, Library } from '#core/ports/learning.ts'
import { redact } from '#core/redact/redact.ts'
import { failOpen } from '../fail-open.ts'
import { authorAt } from './author.ts'
import { recordReflection, recordRejected } from './record-reflection.ts'
import { keepRejected } from './rejected.ts'
import { allLearnings } from './retrieve.ts'
import { changeSession, isOver, limitsOf, loadSession, meantSession } from './sessions.ts'
import type { LearningWorld } from './world.ts'

export interface ReflectInput {
  cwd: string
  /** Absent for a person's own insight, which releases no gate. */
  sessionId?: string
  /** The session it is called from, where the named one is not known. */
  ownId?: string
  candidates: readonly unknown[]
}

/** What became of the candidates. */
export interface Reflection {
  /** False: no candidate had the right shape, or none passed at the first try. The gate stays as it was, and the agent tries again. */
  ok: boolean
  sessionId?: string
  accepted: (Learning & { storedIn: string[] })[]
  rejected: Turned[]
  /** Accepted ones that no backend could keep; the reflection counts all the same. */
  lost: string[]
  /** What subagents noted. */
  observations: Observation[]
  /** The observations as lines for the agent, without those that it was given when it was asked to reflect. */
  notes: string[]
  gate?: string
}

/** A longer list was not chosen from; and each one that is turned down goes into a log that the team shares. */
const MOST_CANDIDATES = 1000
const TOO_MANY: ReturnType<typeof readCandidate> = {
  rejection: {
    summary: '',
    reasons: [`at most ${MOST_CANDIDATES} candidates; choose the few that matter`],
    stage: 'schema',
  },
}

const NOT_HERE: Turned = {
  summary: '',
  reasons: ['this project remembers nothing (memory.remember = false); go on without a reflection'],
  stage: 'schema',
}
const NO_NOTES = { observations: [], notes: [] }

/** An agent says what is worth keeping. Each candidate stands for itself; what passes is written, the rest has reasons. */
export async function reflect(world: LearningWorld, input: ReflectInput): Promise<Reflection> {
  const session = await sessionFor(world, world.rootOf(input.cwd), input.sessionId, { ownId: input.ownId })
  // An agent may have gone elsewhere; what it learned belongs to the project its session began in.
  const root = session?.root ?? world.rootOf(input.cwd)
  const settings = world.settingsAt(root)
  const library = world.libraryAt(root, settings)
  if (!settings.memory.remember) return { ok: false, accepted: [], rejected: [NOT_HERE], lost: [], ...NO_NOTES }
  const read = input.candidates.length > MOST_CANDIDATES ? [TOO_MANY] : input.candidates.map(readCandidate)
  const shaped = read.flatMap((one) => ('candidate' in one ? [one.candidate] : []))
  const misshapen = read.flatMap((one, at) =>
    'rejection' in one ? [{ ...redactedRejection(one.rejection), raw: rawOf(input.candidates[at]) }] : [],
  )
  const observations = session?.observations ?? []
  const notes = observationLines(observations.filter(({ told }) => !told))
  const told = { ...(session && { sessionId: session.sessionId }), observations, notes }
  if (shaped.length === 0) {
    await keepRejected(world, library, session, misshapen)
    await remember(world, session, troubleOf(misshapen))
    await failOpen(world.log, 'record the rejected candidates', undefined, () =>
      recordRejected(world, library, session, misshapen),
    )
    return { ok: false, accepted: [], rejected: misshapen, lost: [], ...told }
  }

  const { accepted, lost, turned } = await library.alone(async () => {
    const sifted = await sift(
      world,
      library,
      { session, author: await authorAt(world, root) },
      shaped.map((one) => forKeeping(one, root)),
    )
    return { ...(await storeAll(world, library, sifted.kept)), turned: sifted.turned }
  })
  const rejected = [...misshapen, ...turned]
  await keepRejected(world, library, session, rejected)
  // What is turned down gets a second chance before the agent may go; what is known already needs none.
  const isWorthAnother = rejected.some(({ stage }) => stage !== 'duplicate')
  if (accepted.length + lost.length === 0 && isWorthAnother && session && !session.retried) {
    await remember(world, session, troubleOf(rejected), { retried: true })
    await failOpen(world.log, 'record the rejected candidates', undefined, () =>
      recordRejected(world, library, session, rejected),
    )
    return { ok: false, accepted: [], rejected, lost: [], ...told }
  }
  await failOpen(world.log, 'record the reflection', undefined, () =>
    recordReflection(world, library, session, accepted, rejected),
  )
  const after = await settle(world, settings, session, accepted.length, rejected)
  return { ok: true, accepted, rejected, lost, ...told, ...(after && { gate: after.gate.status }) }
}

/**
 * The named session or, where an agent named an unknown one, the one it is called from: agents shorten and mistype ids.
 * Without any name a person speaks, for no session. A broken store must not cost a learning.
 */
export function sessionFor(
  world: LearningWorld,
  root: string,
  id: string | undefined,
  {
    ownId,
    orWaiting = id !== undefined || ownId !== undefined,
  }: { ownId?: string | undefined; orWaiting?: boolean } = {},
): Promise<GateSession | undefined> {
  return failOpen(world.log, 'find the session', undefined, async () => {
    const load = (one: string | undefined) => (one === undefined ? undefined : loadSession(world, one))
    const [named, own] = [await load(id), await load(ownId)]
    const live = [named, own].find((one) => one && !isOver(one))
    return live ?? (orWaiting ? await meantSession(world, root) : undefined) ?? named ?? own
  })
}

/** Where a learning comes from. */
interface Origin {
  session: GateSession | undefined
  author: string | undefined
}

/** Layer 2 and the search for duplicates, among what is known and among the candidates themselves. */
async function sift(
  world: LearningWorld,
  library: Library,
  origin: Origin,
  candidates: readonly Candidate[],
): Promise<{ kept: Learning[]; turned: Turned[] }> {
  const { session } = origin
  const { learnings } = await allLearnings(world, library)
  const known = learnings.filter(({ status }) => status === 'active')
  const kept: Learning[] = []
  const turned: Turned[] = []
  for (const candidate of candidates) {
    const { summary, criteriaMet: criteria } = candidate
    const isPersonal = candidate.scope === 'personal'
    const about = { summary, criteria, ...(isPersonal && { personal: true as const }) }
    const judgement = judge(candidate, { userAskedToRemember: session?.askedToRemember === true })
    if ('reasons' in judgement) {
      turned.push({ ...about, reasons: judgement.reasons, stage: 'write-gate', candidate })
      continue
    }
    // A correction resembles what it corrects, and is welcome. What one person keeps to themselves is news to the team.
    const others = [...known, ...kept].filter(
      ({ id, scope }) => id !== candidate.supersedes && (isPersonal || scope !== 'personal'),
    )
    const duplicate = duplicateOf(candidate, others)
    if (duplicate) {
      const reason = `already known as ${duplicate.id}: ${duplicate.summary} (if yours corrects it, name it in "supersedes")`
      turned.push({ ...about, reasons: [reason], stage: 'duplicate', candidate })
      continue
    }
    const opposite = candidate.supersedes === undefined ? contradictionOf(candidate, others) : undefined
    if (opposite && !session?.retried) {
      const reason = `it contradicts ${opposite.id}: ${opposite.summary} (if yours is right, hand it in again with "supersedes": "${opposite.id}"; if both hold, say when each does)`
      turned.push({ ...about, reasons: [reason], stage: 'contradiction', candidate })
      continue
    }
    kept.push(toLearning(world, candidate, origin, judgement.criteria))
  }
  return { kept, turned }
}

function toLearning(
  { clock, newId }: LearningWorld,
  candidate: Candidate,
  { session, author }: Origin,
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
    ...(author !== undefined && { author }),
    ...(ticketId !== undefined && { ticketId }),
  }
}

async function storeAll(world: LearningWorld, library: Library, kept: readonly Learning[]) {
  const accepted: Reflection['accepted'] = []
  const lost: string[] = []
  for (const learning of kept) {
    const storedIn = await store(world, library, learning)
    if (storedIn.length > 0) accepted.push({ ...learning, storedIn })
    else lost.push(learning.summary)
  }
  return { accepted, lost }
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
      const { fallback, store } = library
      const shared = names.flat()
      const taken = shared.length > 0 || !fallback ? shared : await write(fallback.name, () => fallback.write(learning))
      const joined = await write(store.name, () => store.write(learning))
      return taken.length > 0 ? taken : joined
    }
  }
}

/** Releases the gate: an agent that has reflected may stop, whether or not everything could be kept. */
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
      const { gate } = decide(before.gate, { type: 'reflected' }, limitsOf(settings, before))
      const { trouble: _, told: __, retried: ___, ...rest } = before
      // Notes that were handed over have served; the next ticket has its own.
      const observations = before.observations.filter((one) => !one.told)
      const what = `reflected: ${accepted} kept, ${rejected.length} turned down`
      return traced({ ...rest, gate, observations }, world.clock.now(), what)
    }),
  )
}

/** What was handed in could not even be read; the next stop says so, and the agent tries again. */
export async function turnDown(
  world: LearningWorld,
  { cwd, sessionId }: Omit<ReflectInput, 'candidates'>,
  why: string,
): Promise<void> {
  await remember(world, await sessionFor(world, world.rootOf(cwd), sessionId), [redact(why)])
}

/** Keeps why an attempt failed, so that the next stop can say it. */
async function remember(
  world: LearningWorld,
  session: GateSession | undefined,
  trouble: string[],
  also: { retried?: true } = {},
): Promise<void> {
  if (!session) return
  await failOpen(world.log, 'remember the failed reflection', undefined, () =>
    changeSession(world, session.sessionId, session.root, (before) =>
      traced({ ...before, ...also, trouble: trouble.slice(0, 10) }, world.clock.now(), 'reflection turned down'),
    ),
  )
}

function troubleOf(rejected: readonly Turned[]): string[] {
  return rejected.map(({ summary, reasons }) => `${summary ? `"${summary}": ` : ''}${reasons.join('; ')}`)
}

/** Without secrets, and with its files named as every checkout has them. */
function forKeeping(candidate: Candidate, root: string): Candidate {
  const fromRoot = (file: string) => (file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file)
  return {
    ...candidate,
    summary: redact(candidate.summary),
    detail: redact(candidate.detail),
    tags: candidate.tags.map(redact),
    contextFiles: [...new Set(candidate.contextFiles.map((file) => redact(fromRoot(file))))],
  }
}

const MOST_RAW = 4000

/** Each text is masked by itself: as JSON its lines are one, and what stands in a line of its own is no longer seen. */
function rawOf(given: unknown): string {
  const masked = JSON.stringify(given, (_, value) => (typeof value === 'string' ? redact(value) : value))
  return redact(masked ?? '').slice(0, MOST_RAW)
}

function redactedRejection(rejection: Turned): Turned {
  return { ...rejection, summary: redact(rejection.summary), reasons: rejection.reasons.map(redact) }
}
