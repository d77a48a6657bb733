import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'

export interface PlainResponse {
  status: number
  headers: IncomingMessage['headers']
  rawHeaders: string[]
  body: Buffer
  /** What arrived together, in order. */
  chunks: Buffer[]
  /** False when the connection broke before the end of the body. */
  complete: boolean
}

export interface PlainRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  signal?: AbortSignal
  /** Called for each piece of the body as it arrives. */
  onData?: (chunk: Buffer) => void
}

/** One HTTP request without redirects, retries or decompression: what is on the wire is what you get. */
export async function send(url: string, { method = 'POST', headers = {}, body, signal, onData }: PlainRequest = {}) {
  // Its own agent: a pooled connection that the server has closed would fail a test for no reason.
  const outgoing = request(url, { method, headers, agent: new Agent(), ...(signal ? { signal } : {}) })
  // A break after the response began is reported here once more; the loop below has already seen it.
  outgoing.on('error', () => {})
  outgoing.end(body)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  try {
    for await (const chunk of incoming) {
      chunks.push(chunk as Buffer)
      onData?.(chunk as Buffer)
    }
  } catch {
    // A broken body is an outcome that the caller reads from `complete`.
  }
  const response: PlainResponse = {
    status: incoming.statusCode!,
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    body: Buffer.concat(chunks),
    chunks,
    complete: incoming.complete,
  }
  return response
}

/** Posts a Messages request as JSON. */
export function ask(baseUrl: string, body: object, options: PlainRequest = {}): Promise<PlainResponse> {
  const headers = { 'content-type': 'application/json', ...options.headers }
  return send(`${baseUrl}/v1/messages?beta=true`, { ...options, headers, body: JSON.stringify(body) })
}
