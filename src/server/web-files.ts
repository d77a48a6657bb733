import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { gzipSync } from 'node:zlib'

/** One file of the web app, as it is sent. */
export interface WebFile {
  type: string
  body: Buffer
  /** Compressed on first use. */
  gzipped(): Buffer
  etag: string
  /** Its name has a hash in it, so it never changes. */
  isForever: boolean
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

/** The files of the built app by their address. Only these are ever sent, so no address leads out of the folder. */
export function readWebFiles(folder: string): Map<string, WebFile> {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) in TYPES)
  return new Map(
    names.map((name) => [`/${name.split(sep).join('/')}`, webFile(name, readFileSync(join(folder, name)))]),
  )
}

function webFile(name: string, body: Buffer): WebFile {
  let gzipped: Buffer | undefined
  return {
    type: TYPES[extname(name)]!,
    body,
    gzipped: () => {
      gzipped ??= gzipSync(body, { level: 9 })
      return gzipped
    },
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`,
    isForever: name.startsWith('assets'),
  }
}
