import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** The variable that names the port at which a test run answers what its test files share. */
const PORT = 'GROVE_TEST_SHARED'

/**
 * Makes what test files share when the first of them asks for it. Each runs in a process of its own, so they ask over a
 * socket; it is answered with a text.
 */
export async function share(makers: Record<string, () => Promise<string>>): Promise<() => void> {
  const made = new Map<string, Promise<string>>()
  const make = (name: string) =>
    made.get(name) ?? makers[name]?.() ?? Promise.reject(new Error(`no such thing: ${name}`))
  const server = createServer((asking) => {
    // One that stops waiting is a test file that has ended.
    asking.on('error', () => {})
    asking.setEncoding('utf8').once('data', (name: string) => {
      const making = make(name)
      made.set(name, making)
      making.then(
        (value) => asking.end(JSON.stringify({ value })),
        ({ message }: Error) => asking.end(JSON.stringify({ error: message })),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address === 'object' && address) process.env[PORT] = String(address.port)
  return () => void server.close()
}

/** What the run shares under this name; undefined outside of a test run, as in a bench. */
export async function shared(name: string): Promise<string | undefined> {
  const port = process.env[PORT]
  if (!port) return undefined
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(name)
  let text = ''
  for await (const chunk of socket) text += chunk
  const { value, error } = JSON.parse(text) as { value?: string; error?: string }
  if (value === undefined) throw new Error(error)
  return value
}
