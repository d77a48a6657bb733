import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'

/** What one run took, in milliseconds. Waiting for a busy machine shows in the first, never in the second. */
export interface Took {
  ms: number
  cpuMs: number
}

/**
 * Starts programs from a small shell, as the client does from its own small helper: starting them from this process
 * would add the cost of copying it to each of them.
 */
export function launcher() {
  const loop = 'TIMEFORMAT="%R %U %S"; while read -r line; do time eval "$line"; done'
  const shell = spawn('bash', ['-c', loop], { stdio: ['pipe', 'ignore', 'pipe'] })
  const lines = createInterface(shell.stderr)[Symbol.asyncIterator]()
  return {
    /** Runs a program to its end; its input is a file. */
    async run(program: string, args: string[], input: string, env: Record<string, string>): Promise<Took> {
      const set = Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`)
      const words = [program, ...args].map(quote).join(' ')
      shell.stdin.write(`${set.join(' ')} ${words} < ${quote(input)} 2>&1\n`)
      const [real = 0, user = 0, system = 0] = String((await lines.next()).value)
        .split(' ')
        .map(Number)
      return { ms: real * 1000, cpuMs: (user + system) * 1000 }
    },
    close: () => shell.kill(),
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** CPU time a process has used so far, its finished children included; not known outside Linux. */
export function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
  } catch {
    // No such file system.
    return Number.NaN
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Posts a payload over a connection that stays open; how long the answer took, in milliseconds. */
export function askHttp(url: string, path: string, token: string, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint()
    const asked = request(new URL(path, url), { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`))
        else resolve(Number(process.hrtime.bigint() - start) / 1e6)
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
