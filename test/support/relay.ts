import { connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP line that a test can cut and mend: bytes go through untouched until it is cut, then every connection breaks. */
export interface Relay {
  /** The same URL, through the relay. */
  through(url: string): string
  /** Breaks every connection at once and takes no new ones. */
  cut(): Promise<void>
  /** Nothing goes through any more, and nobody is told: what a pulled cable looks like. */
  freeze(): void
  /** Listens again, at the same place. */
  mend(): Promise<void>
  /** Resolves when so many more bytes have gone up. */
  sent(bytes: number): Promise<void>
  close(): Promise<void>
}

export async function startRelay(target: string): Promise<Relay> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  let bytes = 0
  let frozen = false
  let server = serve()
  const here = await listen(server, 0)

  function serve(): Server {
    return createServer((client) => {
      const upstream = connect(Number(port), hostname)
      for (const socket of [client, upstream]) {
        open.add(socket)
        // A broken line is what this is for.
        socket.on('error', () => undefined)
        socket.on('close', () => {
          open.delete(socket)
          client.destroy()
          upstream.destroy()
        })
      }
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        from.on('data', (chunk) => {
          if (frozen) return
          if (from === client) bytes += chunk.length
          to.write(chunk)
        })
      }
    })
  }

  const cut = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of open) socket.resetAndDestroy()
    await closed
  }
  return {
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(here) }).href,
    cut,
    freeze() {
      frozen = true
    },
    async mend() {
      // What was lost on the way is lost: a connection that was frozen does not come back.
      if (server.listening) await cut()
      frozen = false
      server = serve()
      await listen(server, here)
    },
    async sent(more) {
      const until = bytes + more
      while (bytes < until) await new Promise((resolve) => setTimeout(resolve, 2))
    },
    close: async () => {
      if (server.listening) await cut()
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
}
