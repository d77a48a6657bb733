import { type Query, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { noteOutput } from '../feature/use-output.ts'
import { Store } from '../ui/store.ts'
import { flush, outbox } from './actions.ts'
import { type Answer, call, type Input, type Name, type Noun, Refused, type RouteOf } from './client.ts'
import { type Connection, type LiveListener, LiveSocket } from './live.ts'
import { patchAgents } from './patch.ts'
import { type Touched, touched } from './touched.ts'

/** The server's state as the page knows it: read once, then kept true by the socket. */
export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      gcTime: 10 * 60_000,
      // A refusal is an answer; asking again changes nothing. Trouble inside the server may be over in a moment.
      retry: (failures, error) => !isAnswer(error) && failures < 2,
      refetchInterval: ({ state }) => (state.status === 'error' && isServerTrouble(state.error) ? 10_000 : false),
      networkMode: 'always',
    },
  },
})

function isServerTrouble(error: unknown): boolean {
  return error instanceof Refused && error.httpStatus >= 500
}

function isAnswer(error: unknown): boolean {
  return error instanceof Refused && !isServerTrouble(error)
}

export const connection = new Store<Connection>({ state: 'connecting' })

interface Options {
  enabled?: boolean
  /** Shows what was there before while the next is read. */
  keep?: boolean
}

export function useAsk<N extends Noun, K extends Name<N>>(
  noun: N,
  name: K,
  input: Input<RouteOf<N, K>>,
  { enabled = true, keep = false }: Options = {},
): UseQueryResult<Answer<N, K>> {
  return useQuery<unknown>({
    queryKey: [noun, name, input],
    queryFn: ({ signal }) => call(noun, name, input, signal),
    enabled,
    ...(keep && { placeholderData: (before: unknown) => before }),
  }) as UseQueryResult<Answer<N, K>>
}

/** The same question as data, for those that ask several at once. */
export function asking<N extends Noun, K extends Name<N>>(noun: N, name: K, input: Input<RouteOf<N, K>>) {
  return {
    queryKey: [noun, name, input],
    queryFn: ({ signal }: { signal: AbortSignal }) => call(noun, name, input, signal) as Promise<Answer<N, K>>,
  }
}

/** The other tabs of this browser: the socket does not tell of what people do with memories, learnings and pauses. */
let tabs: BroadcastChannel | undefined
const EVERYTHING = [[]] as const

/** Reads anew whatever is shown of these, here and in the other tabs. */
export function refresh(...keys: Touched[]): void {
  readAnew(keys)
  tabs?.postMessage(keys)
}

type Keys = readonly (readonly unknown[])[]

/** What a person has done here shows at once: reads that began before it are cut short. */
function readAnew(keys: Keys): void {
  for (const queryKey of keys) {
    const first = underWay(queryKey).filter(({ state }) => state.data === undefined)
    void cache.invalidateQueries({ queryKey })
    for (const query of first) readAfter(query)
  }
}

/** What happened elsewhere lets reads come to their end: over a slow network, news that cut them short would let nothing arrive. */
function readAnewWhenDone(keys: Keys): void {
  for (const queryKey of keys) {
    const begun = underWay(queryKey)
    void cache.invalidateQueries({ queryKey }, { cancelRefetch: false })
    for (const query of begun) readAfter(query)
  }
}

const underWay = (queryKey: readonly unknown[]) =>
  cache.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }) as Query[]

/** Those whose read is followed by another. */
const followed = new WeakSet<Query>()

/** A read that is under way may have been answered before what it is about has changed: another follows. */
function readAfter(query: Query): void {
  if (followed.has(query)) return
  followed.add(query)
  const again = () => {
    followed.delete(query)
    void cache.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
  }
  query.promise?.then(again, again)
}

/** Sends what waits, and then reads anew what that has changed. */
async function flushAndRefresh(): Promise<void> {
  if ((await flush()) === 0) return
  readAnew(EVERYTHING)
  tabs?.postMessage(EVERYTHING)
}

/** A socket may be blocked while Grove answers otherwise: then everything is read anew with each try to connect. */
async function readWithoutSocket(): Promise<void> {
  const isThere = await call('people', 'list', {}).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  await flush()
  void cache.invalidateQueries()
}

const GATHER_MS = 250

/** Opens the socket and lets what it tells reach the queries. Bursts are gathered, so that a busy agent costs few requests. */
export function startLive(): LiveSocket {
  tabs = new BroadcastChannel('grove')
  tabs.onmessage = ({ data }) => readAnew(data as Touched[])
  const stale = new Map<string, Touched>()
  let isGathering = false
  const listener: LiveListener = {
    onEvent(event) {
      if (event.type === 'output.line') return noteOutput(event.sessionId, event.line)
      cache.setQueryData(['agents', 'list', {}], (list: Answer<'agents', 'list'> | undefined) =>
        patchAgents(list, event, Date.now()),
      )
      for (const key of touched(event)) stale.set(JSON.stringify(key), key)
      if (isGathering) return
      isGathering = true
      setTimeout(() => {
        isGathering = false
        const keys = [...stale.values()]
        stale.clear()
        readAnewWhenDone(keys)
      }, GATHER_MS)
    },
    onGap: () => readAnew(EVERYTHING),
    onConnection(now) {
      connection.set(now)
      if (now.state === 'open') void flushAndRefresh()
      else if (now.state !== 'connecting') void readWithoutSocket()
    },
  }
  const socket = new LiveSocket(`${location.origin.replace(/^http/, 'ws')}/ws`, listener, madeAfter())
  socket.start()
  // What could still be undone goes when its time is over.
  setInterval(() => {
    if (connection.get().state === 'open' && outbox.due(Date.now()).length > 0) void flushAndRefresh()
  }, 1_000)
  return socket
}

function madeAfter(): number | undefined {
  const said = document.querySelector<HTMLMetaElement>('meta[name="grove-live"]')?.content
  return /^\d+$/.test(said ?? '') ? Number(said) : undefined
}
