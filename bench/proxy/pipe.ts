import { Agent, createServer, request } from 'node:http'
import { pipeline } from 'node:stream'

/** What one writes first: Node's own server and client, piped together, nothing looked at. */
export function runPipe(target: URL): void {
  const agent = new Agent({ keepAlive: true })
  const server = createServer({ keepAliveTimeout: 120_000 }, (incoming, outgoing) => {
    const { host: _, connection: __, ...headers } = incoming.headers
    const up = request({
      agent,
      host: target.hostname,
      port: target.port,
      method: incoming.method,
      path: incoming.url,
      headers,
    })
    up.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, outgoing, () => undefined)
    })
    up.on('error', () => outgoing.destroy())
    pipeline(incoming, up, () => undefined)
  })
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
}
