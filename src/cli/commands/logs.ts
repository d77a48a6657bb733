import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import { pathsOf, tilde } from '#config/paths.ts'
import type { Cli } from '../context.ts'
import { count } from '../numbers.ts'
import { clean, note, printAsIs } from '../print.ts'

const LOOK_AGAIN = 300
const MOST_READ = 4 * 1024 * 1024
const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

export function define(command: Command, cli: Cli): void {
  command
    .option('-n, --lines <count>', 'number of lines to show', count, 50)
    .option('-f, --follow', 'keep showing new lines')
    .option('--json', 'print the raw lines')
    .action(async ({ lines, follow, json }: { lines: number; follow?: boolean; json?: boolean }) => {
      const file = pathsOf(cli.config()).log
      const show = (line: string) => printAsIs(json ? line : readable(line))
      if (!existsSync(file)) note(`There is no log yet (${tilde(file)}).`)
      const end = existsSync(file) ? statSync(file).size : 0
      const from = Math.max(0, end - MOST_READ)
      for (const line of linesIn(read(file, from, end), from > 0).slice(-lines)) show(line)
      if (follow) await following(file, end, show)
    })
}

/** Follows the file until the process is ended. A rotated or new file is read from its beginning. */
async function following(file: string, from: number, show: (line: string) => void): Promise<never> {
  let at = from
  let rest = ''
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN))
    const size = existsSync(file) ? statSync(file).size : 0
    if (size < at) at = 0
    if (size === at) continue
    const text = rest + read(file, at, size)
    at = size
    const cut = text.lastIndexOf('\n') + 1
    rest = text.slice(cut)
    for (const line of linesIn(text.slice(0, cut), false)) show(line)
  }
}

function linesIn(text: string, isCut: boolean): string[] {
  return text
    .split('\n')
    .slice(isCut ? 1 : 0)
    .filter(Boolean)
}

function read(file: string, from: number, to: number): string {
  if (to <= from) return ''
  const opened = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(Math.min(to, fstatSync(opened).size) - from)
    return bytes.toString('utf8', 0, readSync(opened, bytes, 0, bytes.length, from))
  } finally {
    closeSync(opened)
  }
}

/** `12:30:01 warn  what happened {"host":"…"}`; what is no log line stays as it is. */
function readable(line: string): string {
  try {
    const { time, level, msg, pid: _, ...fields } = JSON.parse(line) as Record<string, unknown>
    const at = new Date(time as number).toISOString().replace('T', ' ').slice(0, 19)
    const more = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : ''
    return clean(`${at} ${(LEVELS[level as number] ?? '').padEnd(5)} ${msg}${more}`)
  } catch {
    return clean(line)
  }
}
