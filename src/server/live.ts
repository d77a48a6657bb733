import type { FastifyInstance } from 'fastify'
import type { LiveEvent, LiveMessage, LiveQuery, NumberedEvent } from '#protocol/live.ts'

const KEPT = 2_000

/** Numbers events, keeps the newest, and tells every listener. A listener that throws is dropped. */
export class LiveFeed {
  #seq = 0
  #kept: NumberedEvent[] = []
  readonly #listeners = new Set<(event: NumberedEvent) => void>()

  constructor(private readonly now: () => number) {}

  publish(event: LiveEvent): void {
    const numbered = { seq: ++this.#seq, at: this.now(), event }
    this.#kept.push(numbered)
    // Cutting in large pieces keeps publishing cheap.
    if (this.#kept.length > KEPT * 1.5) this.#kept = this.#kept.slice(-KEPT)
    for (const listener of this.#listeners) {
      try {
        listener(numbered)
      } catch {
        // The listener's socket is gone; the feed goes on for the others.
        this.#listeners.delete(listener)
      }
    }
  }

  get last(): number {
    return this.#seq
  }

  /** Everything after `seq` that is still kept; `gap` when something in between is not. */
  since(seq: number): { events: NumberedEvent[]; gap: boolean } {
    const first = this.#kept[0]?.seq ?? this.#seq + 1
    return { events: this.#kept.filter((one) => one.seq > seq), gap: seq + 1 < first || seq > this.#seq }
  }

  listen(listener: (event: NumberedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

const HEARTBEAT_MS = 30_000

// A reader this far behind is disconnected; it reconnects and asks for what it missed.
const MAX_BEHIND = 4 * 1024 * 1024

/** The events of a feature session after a sequence number, by its key; none for an unknown one. */
export type OnRecord = (feature: string, after: number) => { at: number; event: LiveEvent }[]

/**
 * `GET /ws?after=<seq>`: replays what came after, then follows. `{"type":"gap"}` says that something was lost and the state
 * should be read anew; of the feature sessions that are named everything is replayed, whatever the feed still has.
 */
export function liveRoute(app: FastifyInstance, feed: LiveFeed, onRecord: OnRecord = () => []): void {
  app.get<{ Querystring: LiveQuery }>('/ws', { websocket: true }, (socket, { query }) => {
    const send = (message: LiveMessage) => {
      if (socket.bufferedAmount > MAX_BEHIND) socket.close(1013, 'too slow')
      else socket.send(JSON.stringify(message))
    }
    const named = namedFeatures(query.feature)
    if (query.after !== undefined) {
      const { events, gap } = feed.since(Number(query.after) || 0)
      if (gap) send({ type: 'gap' })
      for (const one of events) if (!isOnRecord(one.event, named)) send(one)
    }
    for (const [feature, after] of named) for (const one of onRecord(feature, after)) send({ seq: feed.last, ...one })
    const unlisten = feed.listen(send)
    const beat = setInterval(() => send({ type: 'heartbeat' }), HEARTBEAT_MS).unref()
    const stop = () => {
      unlisten()
      clearInterval(beat)
    }
    socket.on('close', stop)
    socket.on('error', stop)
  })
}

/** The number that was seen last, by feature session. */
function namedFeatures(given: LiveQuery['feature']): Map<string, number> {
  const named = [given ?? []].flat().flatMap((one) => {
    const [, feature, number] = /^([^:]+):(\d{1,9})$/.exec(one) ?? []
    return feature === undefined ? [] : [[feature, Number(number)] as const]
  })
  return new Map(named)
}

/** Whether the event belongs to a feature session that is replayed from its own record. */
function isOnRecord(event: LiveEvent, named: ReadonlyMap<string, number>): boolean {
  return 'number' in event && named.has(`${event.projectId}/${event.featureId}`)
}
