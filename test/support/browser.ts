import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'undici'
import { tempDir } from './project.ts'

/** A real browser, spoken to as its own developer tools do; no driver to install. */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** The Chromium of this machine, or the one that GROVE_TEST_BROWSER names. */
export function findBrowser(): string | undefined {
  const named = process.env.GROVE_TEST_BROWSER
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = named ? [named] : [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), MAC]
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false // Not there, or not ours to start.
    }
  })
}

export interface Page {
  /** The value of an expression in the page. */
  read<T>(expression: string): Promise<T>
  /** Waits until an expression holds. */
  until(expression: string): Promise<void>
  /** Presses the mouse in the middle of the element that an expression names. */
  click(expression: string): Promise<void>
}

/** Opens a page in a fresh browser that ends with the test. */
export async function openPage(
  program: string,
  url: string,
  whenFinished: (work: () => Promise<void>) => void,
): Promise<Page> {
  const profile = await tempDir('browser')
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run']
  const child = spawn(
    program,
    [
      ...flags,
      '--disable-background-networking',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH, HOME: profile } },
  )
  whenFinished(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'close')
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })
  const socket = new WebSocket(await addressOf(child.stderr))
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const send = protocol(socket)
  const { targetId } = await send('Target.createTarget', { url })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })

  const read = async <T>(expression: string) => {
    const params = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await send('Runtime.evaluate', params, sessionId)
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`)
    return result.value as T
  }
  return {
    read,
    async until(expression) {
      while (!(await read(expression))) await new Promise((resolve) => setTimeout(resolve, 50))
    },
    async click(expression) {
      const middle = `(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(${expression}.getBoundingClientRect())`
      const at = await read<{ x: number; y: number }>(middle)
      for (const type of ['mousePressed', 'mouseReleased']) {
        await send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 }, sessionId)
      }
    },
  }
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  const said: string[] = []
  for await (const line of createInterface({ input: output })) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address) {
      output.resume()
      return address
    }
    said.push(line)
  }
  throw new Error(`The browser did not start:\n${said.join('\n')}`)
}

// biome-ignore lint/suspicious/noExplicitAny: what the browser answers depends on what it was asked
type Ask = (method: string, params: object, sessionId?: string) => Promise<any>

function protocol(socket: WebSocket): Ask {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data))
    if (error) waiting.get(id)?.reject(new Error(error.message))
    else waiting.get(id)?.resolve(result)
    waiting.delete(id)
  })
  return (method, params, sessionId) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject })
      socket.send(JSON.stringify({ id: last, method, params, ...(sessionId && { sessionId }) }))
    })
}
