import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clientEnv, clientPath, fakeKey, killWithUs } from './claude.ts'

/** Claude Code as a person has it before them: its screen, and a keyboard. */
export interface Terminal {
  /** Types a line and sends it off once it stands on the screen. */
  say(line: string): Promise<void>
  /** Presses a key, as the bytes a terminal sends for it. */
  press(key: string): void
  /** Resolves when nothing has been painted for a while: a dialog that has only just appeared forgets what it hears. */
  rests(): Promise<void>
  /** Resolves when these words have been painted since the last call, whatever spaces lie between them. */
  shows(...words: string[]): Promise<string>
  /** All that was ever painted, without spaces. */
  seen(): string
  /** Resolves when it has ended; the terminal that was lent to it stays. */
  exitCode(): Promise<number>
  /** It can reach loopback alone, so that everything it does by itself may stay switched on. */
  isolated: boolean
}

/** Longer than any client takes on a busy machine, and shorter than a test may. */
const PATIENCE_MS = 120_000
const REST_MS = 700

export const ENTER = '\r'
export const DOWN = '\x1b[B'

/** Raises the loopback device of a new network. */
const LOOPBACK = 'PATH=$PATH:/usr/sbin:/sbin ip link set lo up'

type WhenFinished = (work: () => Promise<void> | void) => void

/** Starts it in a terminal that `script` lends; where the system can make one, in a network that holds nothing but loopback. */
export async function openTerminal(
  whenFinished: WhenFinished,
  {
    baseUrl,
    home,
    cwd,
    settings = {},
    args,
    env: more = {},
    program: words = [clientPath()],
  }: {
    baseUrl: string
    home: string
    cwd: string
    settings?: object
    args: string[]
    env?: Record<string, string>
    /** What is started in place of the client itself, such as `grove claude`. */
    program?: string[]
  },
): Promise<Terminal> {
  const isolated = spawnSync('unshare', ['-n', 'sh', '-c', LOOPBACK]).status === 0
  const configuration = join(home, '.claude.json')
  const before = JSON.parse(await readFile(configuration, 'utf8').catch(() => '{}')) as object
  await writeFile(configuration, JSON.stringify({ ...before, ...welcomed }))
  const ports = isolated ? await bridge(whenFinished, home, [baseUrl, JSON.stringify(settings)]) : []
  const outcome = join(home, 'exit-code')
  const program = [...words, '--settings', JSON.stringify(settings), ...args].map(quoted).join(' ')
  const typescript = ['script', '-qfec', `stty cols 200 rows 50; ${program}; echo $? > ${quoted(outcome)}`, '/dev/null']
  const relay = [process.execPath, '-e', RELAY, home, ...ports]
  const alone = `${LOOPBACK} && { ${relay.map(quoted).join(' ')} </dev/null >/dev/null 2>&1 & exec ${typescript.map(quoted).join(' ')}; }`
  const [command, ...rest] = isolated ? ['unshare', '-n', 'sh', '-c', alone] : typescript
  const { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC, ...env } = clientEnv(home, baseUrl)
  const child = spawn(command!, rest, {
    cwd,
    env: {
      ...env,
      ...(!isolated && { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC }),
      SHELL: '/bin/sh',
      TERM: 'xterm-256color',
      ...more,
    },
    detached: true,
  })
  const closed = once(child, 'close')
  const release = killWithUs(child)
  whenFinished(async () => {
    release()
    await closed
  })
  return { ...screenOf(child), exitCode: () => written(outcome), isolated }
}

/** Says yes to the question whether the folder is trusted; resolves when the client takes words. */
export async function trustFolder(terminal: Terminal): Promise<void> {
  // Which answer is the one that Enter takes differs between versions.
  const asked = await terminal.shows('trust this folder', 'Enter to confirm')
  await terminal.rests()
  if (/❯(?:\d\.)?No/.test(asked)) {
    terminal.press(DOWN)
    await terminal.shows('❯Yes')
  }
  terminal.press(ENTER)
  await terminal.shows('/effort')
  await terminal.rests()
}

/** What the client asks at its very first start has been answered: how it looks, and that it may use the key. */
const welcomed = {
  hasCompletedOnboarding: true,
  theme: 'dark',
  customApiKeyResponses: { approved: [fakeKey.slice(-20)], rejected: [] },
}

function screenOf(child: ChildProcess): Pick<Terminal, 'say' | 'press' | 'rests' | 'shows' | 'seen'> {
  let painted = ''
  let all = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    painted += text
    all += text
  })
  const press = (key: string) => void child.stdin!.write(key)
  const isPainted = (words: string[]) => words.every((some) => bare(painted).includes(bare(some)))
  const shows = async (...words: string[]) => {
    const patience = AbortSignal.timeout(PATIENCE_MS)
    while (!isPainted(words) && child.exitCode === null && !patience.aborted) await sleep(50)
    const screen = bare(painted)
    if (!isPainted(words))
      throw new Error(`The client does not show ${words.join(', ')}. Painted:\n${screen.slice(-2000)}`)
    painted = ''
    return screen
  }
  return {
    press,
    shows,
    seen: () => bare(all),
    async rests() {
      for (let before = -1; before !== painted.length; ) {
        before = painted.length
        await sleep(REST_MS)
      }
    },
    async say(line) {
      press(line)
      await shows(line)
      press(ENTER)
    },
  }
}

/** Without colours, cursor movements and spaces: clients paint only what has changed, and move over the rest. */
function bare(painted: string): string {
  return (
    painted
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what terminals speak.
      .replace(/\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|[[(][0-9;?<>=]*[a-zA-Z]|[=>78])/g, '')
      .replace(/\s/g, '')
  )
}

async function written(file: string): Promise<number> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.endsWith('\n')) return Number(text)
    await sleep(50)
  }
}

/** Lets the ports that are named in some texts be reached from the other network, through sockets in a folder. */
async function bridge(whenFinished: WhenFinished, folder: string, texts: string[]): Promise<string[]> {
  const ports = new Set(texts.flatMap((text) => [...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port!)))
  for (const port of ports) {
    const server = createServer((near) => joined(near, connect(Number(port), '127.0.0.1')))
    server.listen(join(folder, port))
    await once(server, 'listening')
    whenFinished(() => void server.close())
  }
  return [...ports]
}

function joined(near: Socket, far: Socket) {
  near.pipe(far).pipe(near)
  near.on('error', () => far.destroy())
  far.on('error', () => near.destroy())
}

/** The other end of the bridge. */
const RELAY = `const { connect, createServer } = require('node:net')
const [folder, ...ports] = process.argv.slice(1)
for (const port of ports) createServer((near) => {
  const far = connect(folder + '/' + port)
  near.pipe(far).pipe(near)
  near.on('error', () => far.destroy())
  far.on('error', () => near.destroy())
}).listen(Number(port), '127.0.0.1')`

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
