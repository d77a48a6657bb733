import { lstatSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { socketPath } from '#config/paths.ts'

/** A daemon that says nothing for so long is not well; one that is busy with an answer sends signs of life. */
const SILENCE = 1500

/** Asks the daemon over its socket. Undefined when there is no answer, or an odd one. */
export function askDaemon(home: string, event: string, payload: string): Promise<string | undefined> {
  return askAt(socketPath(home), event, payload)
}

/** Asks at a given socket; the signal ends the wait. */
export async function askAt(
  path: string,
  event: string,
  payload: string,
  gone?: AbortSignal,
): Promise<string | undefined> {
  if (!isOurs(path)) return undefined
  // Loaded on use: not needed without a daemon.
  const { connect } = await import('node:net')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const daemon = connect(path)
    daemon.setTimeout(SILENCE, () => daemon.destroy())
    daemon.on('error', () => resolve(undefined))
    gone?.addEventListener('abort', () => daemon.destroy())
    daemon.on('data', (chunk) => chunks.push(chunk))
    daemon.on('close', () => resolve(bodyOf(Buffer.concat(chunks).toString('utf8'))))
    const head = `POST /hooks/${encodeURIComponent(event)} HTTP/1.0\r\ncontent-length: ${Buffer.byteLength(payload)}`
    daemon.write(`${head}\r\n\r\n${payload}`)
  })
}

/** A socket in the temporary folder could be another user's; named pipes of Windows have no owner to look at. */
function isOurs(path: string): boolean {
  if (process.platform === 'win32') return true
  try {
    const [socket, folder] = [lstatSync(path), statSync(dirname(path))]
    const uid = process.getuid?.()
    return socket.isSocket() && socket.uid === uid && folder.uid === uid
  } catch {
    // Not there, or its folder cannot be looked into.
    return false
  }
}

/** HTTP/1.0 answers end with the connection, so what follows the head is the body; a cut-off one is no JSON. */
function bodyOf(response: string): string | undefined {
  const end = response.indexOf('\r\n\r\n')
  if (!/^HTTP\/1\.\d 200 /.test(response) || end < 0) return undefined
  try {
    const body = response.slice(end + 4).trim()
    JSON.parse(body)
    return body
  } catch {
    // The daemon ended in the middle of its answer.
    return undefined
  }
}
