import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { tempDir } from './project.ts'

/** The key every test client shows; scenarios may expect it. */
export const fakeKey = 'sk-ant-simulated'

export interface ClaudeOptions {
  baseUrl: string
  prompt: string
  /** What is started in place of the client itself, such as `grove claude`. */
  via?: string[]
  /** Where it works; without one, an empty folder inside its home. */
  cwd?: string
  /** Its home; without one, a new folder, which the caller removes. */
  home?: string
  args?: string[]
  /** Tools that it need not ask about; without a list all that stories commonly use. */
  allowed?: string[]
  /** Goes to `--settings`: a file, or the settings themselves. */
  settings?: string | object
  env?: Record<string, string>
  /** Written to its standard input, which is then closed unless it is to be kept. */
  input?: string
  keepInput?: boolean
  timeoutMs?: number
}

type Json = Record<string, unknown>

export interface ClaudeRun {
  /** Null when a signal ended it. */
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** The last result object; undefined when it was killed before it had one. */
  result: (Json & { result?: string; is_error?: boolean; session_id?: string }) | undefined
  /** Every line of its stream-json output. */
  lines: Json[]
  stdout: string
  stderr: string
  home: string
  sessionId: string | undefined
}

export interface RunningClaude {
  child: ChildProcess
  done: Promise<ClaudeRun>
  /** Ends the process and what it started, whatever state it is in. */
  kill(): void
}

/** Runs Claude Code headless to its end. */
export async function runClaude(options: ClaudeOptions): Promise<ClaudeRun> {
  return (await startClaude(options)).done
}

/** Starts Claude Code headless; it can reach loopback only, and finds nothing of its user. */
export async function startClaude(options: ClaudeOptions): Promise<RunningClaude> {
  const home = options.home ?? (await tempDir('home'))
  const [program, ...first] = options.via ?? [clientPath()]
  const child = spawn(program!, [...first, ...commandLine(options)], {
    cwd: options.cwd ?? home,
    env: { ...clientEnv(home, options.baseUrl), ...options.env },
    // Its own process group, so that its children can be ended with it.
    detached: true,
  })
  alive.add(child)
  const kill = () => killGroup(child)
  const timer = setTimeout(kill, options.timeoutMs ?? 150_000)
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  // It may end before it has read its input; its exit code then says more than a broken pipe.
  child.stdin.on('error', () => {})
  if (options.keepInput) child.stdin.write(options.input ?? '')
  else child.stdin.end(options.input ?? '')

  const done = once(child, 'close').then(([exitCode, signal]) => {
    clearTimeout(timer)
    alive.delete(child)
    const lines = stdout().split('\n').filter(Boolean).map(parseLine)
    const result = lines.findLast(({ type }) => type === 'result')
    const sessionId = lines.find(({ session_id }) => typeof session_id === 'string')?.session_id as string | undefined
    return { exitCode, signal, result, lines, stdout: stdout(), stderr: stderr(), home, sessionId } as ClaudeRun
  })
  return { child, done, kill }
}

/** An environment with nothing of the machine in it, and with every call home switched off. */
export function clientEnv(home: string, baseUrl: string): Record<string, string> {
  return {
    HOME: home,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    ANTHROPIC_API_KEY: fakeKey,
    ANTHROPIC_BASE_URL: baseUrl,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
  }
}

const COMMON = ['Agent', 'Bash', 'Edit', 'Read', 'Write']

function commandLine({ prompt, settings, args = [], allowed = COMMON }: ClaudeOptions): string[] {
  return [
    '-p',
    prompt,
    '--output-format=stream-json',
    '--verbose',
    // Rules instead of --dangerously-skip-permissions, which the client refuses to root.
    ...(allowed.length > 0 ? [`--allowedTools=${allowed.join(',')}`] : []),
    ...(settings ? ['--settings', typeof settings === 'string' ? settings : JSON.stringify(settings)] : []),
    ...args,
  ]
}

/** The client that tests run: the one that `npm run test:clients` names, else the pinned one. */
export function clientPath(): string {
  return process.env.GROVE_TEST_CLIENT || pinnedClient()
}

/** The program that test/clients/pinned names for this platform. */
function pinnedClient(): string {
  const require = createRequire(import.meta.url)
  const platform = `${process.platform}-${process.arch}`
  for (const name of [platform, `${platform}-musl`]) {
    try {
      return join(dirname(require.resolve(`@anthropic-ai/claude-code-${name}/package.json`)), 'claude')
    } catch {
      // Only the one for this machine's C library is installed.
    }
  }
  throw new Error(`Claude Code for ${platform} is not installed. Run npm install with optional dependencies.`)
}

// A test that fails half-way, or a worker that is stopped, must leave nobody behind.
const alive = new Set<ChildProcess>()
process.on('exit', () => alive.forEach(killGroup))

/** Ends a process and its group with this one at the latest; the function that it returns does it now. */
export function killWithUs(child: ChildProcess): () => void {
  alive.add(child)
  return () => {
    alive.delete(child)
    killGroup(child)
  }
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess) {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // It may end by itself between the question and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}

function parseLine(line: string): Json {
  try {
    return JSON.parse(line) as Json
  } catch {
    return { type: 'not-json', line } // A last line cut off by a signal is still worth showing.
  }
}
