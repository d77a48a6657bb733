import { spawn } from 'node:child_process'
import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { constants as system } from 'node:os'
import { delimiter, join } from 'node:path'

// Starts Claude Code for `grove claude`. It imports only Node's own modules and is bundled into main.ts's own file,
// because it must work when everything else of this installation is damaged.

/** Finds the client: a path, or the first program of that name on the PATH that does not lead back to Grove. */
export function findClient(bin: string, path = ''): string | undefined {
  if (/[\\/]/.test(bin)) return isProgram(bin) ? bin : undefined
  const endings = process.platform === 'win32' ? ['.exe', ''] : ['']
  const places = path.split(delimiter).flatMap((folder) => endings.map((ending) => join(folder || '.', bin + ending)))
  return places.find((file) => isProgram(file) && !leadsBack(file))
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    // Missing or not executable for this user: try the next folder.
    return false
  }
}

/** A link to Grove, or a small script that starts `grove claude`: running it would loop. */
function leadsBack(file: string): boolean {
  const real = realpathSync(file)
  if (real === realpathSync(process.argv[1]!)) return true
  const head = Buffer.alloc(4096)
  const opened = openSync(real, 'r')
  try {
    const text = head.toString('latin1', 0, readSync(opened, head))
    return text.startsWith('#!') && /\bgrove(\.js)?["']? +claude\b/.test(text)
  } finally {
    closeSync(opened)
  }
}

/** Signals that a terminal sends to its whole foreground group: the client receives them directly. */
const FROM_TERMINAL: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']
const FORWARDED: NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGCONT']

/** Runs the client in this terminal and mirrors it: same streams, signals passed on, same exit code or signal. */
export function runClient(file: string, args: string[], env: NodeJS.ProcessEnv): void {
  const child = spawn(file, args, { stdio: 'inherit', env })
  const forward = (signal: NodeJS.Signals) => void child.kill(signal)
  for (const signal of FROM_TERMINAL) process.on(signal, process.stdin.isTTY ? () => {} : forward)
  for (const signal of FORWARDED) process.on(signal, forward)
  child.on('error', (error) => {
    process.stderr.write(`grove: Claude Code does not start (${file}): ${error.message}\n`)
    process.exit(126)
  })
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 0)
    for (const one of [...FROM_TERMINAL, ...FORWARDED]) process.removeAllListeners(one)
    process.kill(process.pid, signal)
    // Where the signal does not end this process, exit with its number, as a shell would.
    setTimeout(() => process.exit(128 + (system.signals[signal] ?? 0)), 1000)
  })
}
