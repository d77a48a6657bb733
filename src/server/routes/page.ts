import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HomeKeys } from '../keys.ts'
import type { LiveFeed } from '../live.ts'
import { readWebFiles, type WebFile } from '../web-files.ts'

interface Needs {
  /** Where the built web app lies. */
  webFolder: string
  keys: HomeKeys
  live: LiveFeed
}

/** Content security policy: scripts, styles and requests of this server only, no inline code. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const NOT_BUILT = Buffer.from('<!doctype html><title>Grove</title><p>The web app is not built. Run: npm run build\n')

/** The web app: its files, and its one page for every address that is a view of it. */
export function pageRoute(app: FastifyInstance, { webFolder, keys, live }: Needs): void {
  const files = readWebFiles(webFolder)
  const html = files.get('/index.html')?.body ?? NOT_BUILT
  const page = html.toString().replace('%GROVE_PAGE_KEY%', keys.page)
  files.delete('/index.html')
  for (const [address, file] of files) {
    app.get(address, async (request, reply) => sendFile(request, reply, file))
  }
  // The page holds a key, so no browser keeps it.
  const sendPage = async (_: FastifyRequest, reply: FastifyReply) =>
    reply
      .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      // From here on the page has its socket tell what happens, also what happens before the socket is open.
      .send(page.replace('%GROVE_LIVE_LAST%', String(live.last)))
  for (const view of VIEWS) app.get(view, sendPage)
}

const PLACES = ['inbox', 'features', 'agents', 'memory', 'learnings', 'intents', 'insights', 'settings']

/** Every address that the app shows something at. Others are answered as any program expects it: not found. */
const VIEWS = ['/', ...PLACES.flatMap((place) => [`/${place}`, `/${place}/*`])]

/** Escapes the percent signs in a view's address that cannot be decoded; undefined for other addresses. */
export function decodableView(url: string): string | undefined {
  const [path = '', ...query] = url.split('?')
  if (!PLACES.includes(path.split('/')[1] ?? '') || isDecodable(path)) return undefined
  const meant = path.split('/').map((part) => (isDecodable(part) ? part : part.replaceAll('%', '%25')))
  return [meant.join('/'), ...query].join('?')
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function sendFile({ headers }: FastifyRequest, reply: FastifyReply, file: WebFile) {
  reply.header('etag', file.etag)
  reply.header('cache-control', file.isForever ? 'public, max-age=31536000, immutable' : 'no-cache')
  reply.header('vary', 'accept-encoding')
  if (headers['if-none-match'] === file.etag) return reply.status(304).send()
  const isGzip = /\bgzip\b/.test(String(headers['accept-encoding'] ?? '')) && file.body.length > 500
  if (isGzip) reply.header('content-encoding', 'gzip')
  return reply.type(file.type).send(isGzip ? file.gzipped() : file.body)
}
