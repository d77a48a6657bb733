import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { Trouble } from '#config/trouble.ts'
import { holdersOf, type ProcessFacts, processTable } from '#exec/process/table.ts'

/** A process that listens on a port. */
export interface PortHolder {
  pid: number
  command: string
}

/** Who listens on a port, as far as this user may see. */
export async function portHolder(port: number): Promise<PortHolder | undefined> {
  return process.platform === 'linux' ? fromProc(port) : fromLsof(port)
}

/** Turns the error of a failed listen into words. */
export async function explainListenError(
  error: unknown,
  { listener, host, port, env }: { listener: string; host: string; port: number; env: string },
): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException
  const other = port < 65535 ? port + 1 : port - 1
  const setting = env === 'PORT' ? 'port' : 'proxy.port'
  const choose = `Choose another port (${setting} = ${other} in config.toml of Grove's home, or ${env}=${other})`
  if (code === 'EADDRINUSE') {
    const holder = await portHolder(port)
    const taken = `Port ${port}, wanted for the ${listener}, is taken`
    if (holder && /^grove\b/.test(holder.command)) {
      if (holder.pid === process.pid) {
        return new Trouble(`Port ${port} is set for both the proxy and the web page.`, `${choose}.`, {
          cause: error,
        })
      }
      const message = `${taken}: grove is already running (pid ${holder.pid}), with another home.`
      return new Trouble(message, `${choose}, or stop that one: kill ${holder.pid}`, { cause: error })
    }
    const by = holder ? `${holder.command} (pid ${holder.pid})` : 'a process of another user'
    return new Trouble(`${taken} by ${by}.`, `${choose}, or stop that process.`, { cause: error })
  }
  if (code === 'EACCES') {
    return new Trouble(`Port ${port} for the ${listener} needs more rights than this user has.`, `${choose}.`, {
      cause: error,
    })
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const name = env === 'PORT' ? 'HOST' : 'PROXY_HOST'
    return new Trouble(
      `The ${listener} cannot listen on ${host}: that is not an address of this machine.`,
      `Set ${name}=127.0.0.1.`,
      { cause: error },
    )
  }
  return error
}

/** The kernel lists listening sockets by inode; the process that has that inode open is the one. */
async function fromProc(port: number): Promise<PortHolder | undefined> {
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeners(read(table), port))
  if (inodes.length === 0) return undefined
  const table = await processTable()
  const [pid] = holdersOf(inodes, table.keys()).holders
  return pid === undefined ? undefined : { pid, command: commandOf(table.get(pid)!) }
}

/** The inode of every listening socket on the port in a /proc/net/tcp table. */
export function listeners(table: string, port: number): number[] {
  const LISTEN = '0A'
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTEN && Number.parseInt(fields[1]?.split(':')[1] ?? '', 16) === port)
    .map((fields) => Number(fields[9]))
}

/** The command as a person would recognise it: the program, and the script if an interpreter runs one from a file. */
export function commandOf({ args, program: file }: Pick<ProcessFacts, 'args' | 'program'>): string {
  const [program = '', ...rest] = args.filter(Boolean)
  const script = rest.find((argument) => !argument.startsWith('-'))
  const words = [program, script && isName(script) ? script : undefined]
    .filter((word) => word !== undefined)
    .map((word) => word.split('/').at(-1))
  return words.join(' ') || file?.split('/').at(-1) || 'a process'
}

/** A script that was handed over as text would fill the line. */
function isName(word: string): boolean {
  return word.length <= 200 && !/[\s;(]/.test(word)
}

async function fromLsof(port: number): Promise<PortHolder | undefined> {
  try {
    const { stdout } = await promisify(execFile)('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
      timeout: 5000,
    })
    const pid = /^p(\d+)$/m.exec(stdout)?.[1]
    return pid ? { pid: Number(pid), command: /^c(.+)$/m.exec(stdout)?.[1] ?? 'a process' } : undefined
  } catch {
    // lsof is missing or found no process; the message then does without a name.
    return undefined
  }
}

/** Without IPv6 there is one table only. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
