import type { Socket } from 'node:net'

const CONTINUE = Buffer.from('HTTP/1.1 100 ')
/** Where the code's last digit stands. */
const LAST_DIGIT = 11

/**
 * Lets an upstream say `100 Continue` though no request has asked (RFC 9110 §15.2.1 has clients bear it): undici takes it for
 * a broken answer and drops the connection. It does pass over other notes of this kind, so this one is made one of them,
 * 102, before it reads it. Only what follows a request can be the beginning of an answer; later bytes are left alone.
 */
export function skipContinue(socket: Socket): void {
  const { read, write } = socket
  let isAnswerNext = false
  let held: Buffer | undefined
  socket.write = function (this: Socket, ...given: Parameters<Socket['write']>) {
    isAnswerNext = true
    return write.apply(socket, given)
  } as Socket['write']
  socket.read = (size?: number) => {
    const next: Buffer | null = read.call(socket, size)
    if (!isAnswerNext || next === null) return next
    const chunk = held ? Buffer.concat([held, next]) : next
    held = undefined
    const begins = chunk.subarray(0, CONTINUE.length).equals(CONTINUE.subarray(0, chunk.length))
    if (begins && chunk.length < CONTINUE.length) {
      held = chunk
      return null
    }
    isAnswerNext = begins && renumber(chunk)
    return chunk
  }
}

/** Makes the notes at the beginning of some bytes others; true when the answer itself is still to come. */
function renumber(bytes: Buffer): boolean {
  for (let at = 0; bytes.subarray(at, at + CONTINUE.length).equals(CONTINUE); ) {
    bytes[at + LAST_DIGIT] = '2'.charCodeAt(0)
    const end = bytes.indexOf('\r\n\r\n', at)
    at = end + 4
    if (end < 0 || at === bytes.length) return true
  }
  return false
}
