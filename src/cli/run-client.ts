import { spawn } from 'node:child_process'
import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { constants as system } from 'node:os'
import { delimiter, join } from 'node:path'

// Starting Claude Code for `grove claude`. Made of Node's own modules, and part of main.ts's own file: it must work when
// everything else of this installation is damaged.

/** The client itself: a path, or the first of that name on the PATH that does not lead back to Grove. */
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
    // Not there or not for us: either way not the one.
    return false
  }
}

/** A link to Grove, or a small script that starts `grove claude`: running it would go round in circles. */
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

/** What the terminal sends to everybody in front of it; the client has it already. */
const FROM_TERMINAL: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']
const FORWARDED: NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGCONT']

/** Becomes the client as far as others can tell: same terminal, same streams, its signals, its way of ending. */
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
    // Where the signal does not end us, its number does, as a shell would report it.
    setTimeout(() => process.exit(128 + (system.signals[signal] ?? 0)), 1000)
  })
}
