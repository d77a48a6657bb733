import { readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { absolute, workingFolder } from '#config/paths.ts'

// `grove hook <event>`: the client's payload comes in on stdin, the answer goes out on stdout. This runs for every tool
// call where there is no curl, so it is made of Node's own modules; all of Grove is loaded only when no daemon answers.

const SECOND = 1000
const PIECE = 64 * 1024
/** What comes after so much is read and dropped: no event is as long, and input may never end. */
const MOST = 32 * 1024 * 1024
/** A payload of so many characters keeps the process busy for longer. */
const MUCH = 200_000

/** The longest that a hook may take; only the guard may wait longer, for a person. */
const LIMITS: Record<string, number> = {
  'session-end': 1.3 * SECOND,
  'pre-tool-use': 590 * SECOND,
  'permission-request': 590 * SECOND,
}
const LIMIT = 25 * SECOND

// The second word comes from the shell script, whose input ends by itself: `ask` the daemon, or answer `alone`.
const [event = 'unknown', how] = process.argv.slice(2).filter((word) => word !== 'hook')
const home = absolute(process.env.GROVE_HOME?.trim() || '~/.grove', workingFolder(process.env))

// The shell script keeps these from Node, which would read them at its start; programs that are started from here do get them.
const certificates = process.env.GROVE_EXTRA_CA_CERTS
if (certificates) process.env.NODE_EXTRA_CA_CERTS = certificates
delete process.env.GROVE_EXTRA_CA_CERTS

// Whatever goes wrong, the agent goes on: no exit code but 0, and nothing on stdout that is not an answer.
process.on('uncaughtException', (error) => finish('{}', error))
setTimeout(() => finish('{}', new Error('took too long')), LIMITS[event] ?? LIMIT)

// This process waits for a person on behalf of the shell script that started it. When the script was killed, the client has
// its answer; this process then ends too, because an older client waits until every holder of its pipes is gone.
if (how !== undefined && (event === 'pre-tool-use' || event === 'permission-request')) {
  const starter = process.ppid
  setInterval(() => process.ppid === starter || process.exit(0), SECOND / 2)
}

// A stream takes a tenth of a start to set up, but only a stream can be given up when the input never ends.
if (how === undefined) readStream([])
else readAtOnce()

function readAtOnce() {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE)
      const size = readSync(0, piece)
      if (size === 0) break
      length += size
      if (length <= MOST) chunks.push(piece.subarray(0, size))
    }
  } catch (error) {
    // Where the parent has set its pipes to non-blocking, a blocking read fails.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return readStream(chunks)
    throw error
  }
  void answer(textOf(chunks))
}

function textOf(chunks: Buffer[]): string {
  return (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8')
}

function readStream(chunks: Buffer[]) {
  if (process.stdin.isTTY) process.stderr.write('grove: a hook reads its event from Claude Code on standard input\n')
  let length = 0
  process.stdin.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= MOST) chunks.push(chunk)
  })
  process.stdin.on('end', () => void answer(textOf(chunks)))
}

async function answer(payload: string) {
  try {
    const asked = how === 'alone' ? undefined : await askDaemon(payload)
    finish(asked ?? (await answerAlone(payload)))
  } catch (error) {
    finish('{}', error)
  }
}

// Both are loaded on use: one is all that is needed, as a rule.
async function askDaemon(payload: string): Promise<string | undefined> {
  const daemon = await import('./ask-daemon.ts')
  return daemon.askDaemon(home, event, payload)
}

async function answerAlone(payload: string): Promise<string> {
  const { loadCached } = await import('./load-cached.ts')
  const entry = join(__dirname, 'hook', 'standalone.cjs')
  const standalone = loadCached<Standalone>(entry, event, join(home, 'cache'), payload.length < MUCH)
  const text = await standalone.module.answerAlone(event, payload, join(__dirname, 'grove.js'))
  afterwards = standalone.save
  return text
}

interface Standalone {
  /** `program` is the `grove.js` of this installation. */
  answerAlone(event: string, payload: string, program: string): Promise<string>
}

let afterwards = () => {}
let finished = false

function finish(text: string, trouble?: unknown) {
  if (finished) return
  finished = true
  if (trouble) process.stderr.write(`grove: a hook could not be answered, the agent goes on (${String(trouble)})\n`)
  say(Buffer.from(`${trouble && event === 'session-start' ? noticeOf(trouble) : text}\n`))
  afterwards()
  process.exit(0)
}

/** Once per session the user is told; the other events go by in silence. */
function noticeOf(trouble: unknown): string {
  const reason = String(trouble).split('\n')[0]!.slice(0, 200)
  const systemMessage = `Grove's hooks do not work, and Claude Code goes on without them: ${reason}. \`grove doctor\` names the fix.`
  return JSON.stringify({ systemMessage })
}

/** At once, because a stream for it would take time to set up. */
function say(bytes: Buffer) {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at)
  } catch {
    // The reader has gone, so no answer is awaited.
  }
}
