import { explain, type Finding, findingKey, type KeptFinding, terminalLine } from '#core/canary/finding.ts'
import type { StateStore } from '#core/ports/state.ts'
import { redact } from '#core/redact/redact.ts'
import type { ClientFinding } from '#protocol/api/canary.ts'
import { SLOTS } from '../state-slots.ts'
import type { World } from '../world.ts'

const DAY = 24 * 3_600_000
/** A client that makes up names without end is not worth more. */
const MOST = 60
const LONGEST_SUBJECT = 60

/** Every finding that is kept, newest first. */
async function keptFindings(states: StateStore): Promise<KeptFinding[]> {
  return (await states.list(SLOTS.finding, MOST)).map(({ value }) => value)
}

/** Every finding in words. */
export async function explainedFindings(states: StateStore): Promise<ClientFinding[]> {
  return (await keptFindings(states)).map(({ told: _, ...finding }) => ({ ...finding, ...explain(finding) }))
}

/** The findings of this home: each is kept, published and told once per client version. */
export class Findings {
  /** By key; read from the store when they are first needed. */
  #known: Map<string, KeptFinding> | undefined

  constructor(private readonly world: Pick<World, 'store' | 'clock' | 'log' | 'publish'>) {}

  async raise(found: Finding, version: string, sessionId?: string): Promise<void> {
    const { clock, store, publish, log } = this.world
    const finding = clean(found)
    const key = findingKey(version, finding)
    const known = await this.#load()
    const before = known.get(key)
    const at = clock.now()
    if (before ? at - before.at < DAY : known.size >= MOST) return
    const kept = { ...finding, version, at, told: before?.told ?? false, ...(sessionId && { sessionId }) }
    known.set(key, kept)
    await store.states.put(SLOTS.finding, key, kept, at)
    if (before) return
    publish({ type: 'client:finding', version, ...finding, ...(sessionId && { sessionId }) })
    log.warn({ ...finding, version, sessionId }, 'the client is not fully understood')
  }

  /** The line that tells the user of what was not told yet. `look` reads the store where nothing was read so far. */
  async takeLine(look: boolean): Promise<string | undefined> {
    if (!this.#known && !look) return undefined
    const known = await this.#load()
    const untold = [...known].filter(([, { told }]) => !told)
    for (const [key, finding] of untold) {
      const told = { ...finding, told: true }
      known.set(key, told)
      await this.world.store.states.put(SLOTS.finding, key, told, finding.at)
    }
    return terminalLine(untold.map(([, finding]) => finding))
  }

  async #load(): Promise<Map<string, KeptFinding>> {
    if (this.#known) return this.#known
    const kept = await keptFindings(this.world.store.states)
    this.#known ??= new Map(kept.map((finding) => [findingKey(finding.version, finding), finding]))
    return this.#known
  }
}

/** A name of the client's is shown to people, and is part of a key. */
function clean({ kind, subject }: Finding): Finding {
  if (subject === undefined) return { kind }
  return {
    kind,
    subject: redact(subject)
      .slice(0, LONGEST_SUBJECT)
      .replace(/[^\w.:-]/g, '?'),
  }
}
