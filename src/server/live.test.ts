import { once } from 'node:events'
import websocket from '@fastify/websocket'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { type LiveEvent, LiveMessage } from '#protocol/live.ts'
import { LiveFeed, liveRoute, type OnRecord } from './live.ts'

const event = (n: number): LiveEvent => ({ type: 'session:seen', sessionId: `s${n}` })

let app: FastifyInstance | undefined
afterEach(() => app?.close())

async function serve(feed: LiveFeed, onRecord?: OnRecord) {
  app = fastify()
  await app.register(websocket)
  await app.register(async (routes) => liveRoute(routes, feed, onRecord))
  await app.ready()
  return app
}

/** Opens the socket and gathers what it hears. */
async function listen(served: FastifyInstance, path: string) {
  const heard: unknown[] = []
  const socket = await served.injectWS(
    path,
    {},
    { onInit: (ws) => ws.on('message', (data: unknown) => heard.push(LiveMessage.parse(JSON.parse(String(data))))) },
  )
  return {
    socket,
    heard,
    async hear(count: number) {
      while (heard.length < count) await once(socket, 'message')
      return heard
    },
  }
}

describe('the live feed', () => {
  it('replays what a client missed, then follows, without a gap and without repeating', async () => {
    const feed = new LiveFeed(() => 7)
    for (const n of [1, 2, 3]) feed.publish(event(n))
    const client = await listen(await serve(feed), '/ws?after=1')
    feed.publish(event(4))
    expect(await client.hear(3)).toEqual([
      { seq: 2, at: 7, event: event(2) },
      { seq: 3, at: 7, event: event(3) },
      { seq: 4, at: 7, event: event(4) },
    ])
    client.socket.terminate()
  })

  it('replays all that a feature session has on record, once, also after a restart', async () => {
    const told = (number: number): LiveEvent => ({
      type: 'agent.warning',
      message: 'x',
      sessionId: 's',
      projectId: 'p',
      featureId: 'f',
      number,
    })
    const record = [1, 2, 3].map((number) => ({ at: number, event: told(number) }))
    const feed = new LiveFeed(() => 9)
    feed.publish(told(3))
    const onRecord: OnRecord = (feature, after) => (feature === 'p/f' ? record.slice(after) : [])
    const client = await listen(
      await serve(feed, onRecord),
      '/ws?after=0&feature=p/f:1&feature=p/unknown:0&feature=odd',
    )
    feed.publish(told(4))
    expect(await client.hear(3)).toEqual([
      { seq: 1, at: 2, event: told(2) },
      { seq: 1, at: 3, event: told(3) },
      { seq: 2, at: 9, event: told(4) },
    ])
    client.socket.terminate()
  })

  it('says when something was lost, after a long absence or a restart', async () => {
    const feed = new LiveFeed(() => 0)
    for (let n = 0; n < 5000; n++) feed.publish(event(n))
    expect(feed.since(1).gap).toBe(true)
    expect(feed.since(4990)).toMatchObject({ gap: false })
    expect(feed.since(4990).events).toHaveLength(10)
    expect(feed.since(9999).gap).toBe(true)
    const client = await listen(await serve(feed), '/ws?after=1')
    expect((await client.hear(1))[0]).toEqual({ type: 'gap' })
    client.socket.terminate()
  })

  it('goes on for the others when one listener breaks', () => {
    const feed = new LiveFeed(() => 0)
    const heard: number[] = []
    feed.listen(() => {
      throw new Error('broken')
    })
    feed.listen(({ seq }) => void heard.push(seq))
    feed.publish(event(1))
    feed.publish(event(1))
    expect(heard).toEqual([1, 2])
  })
})
