import type { Measured, Memory, Name, Runs } from './measure.ts'
import { MODES, type Mode } from './payload.ts'

export interface Summary {
  nginx: boolean
  contestants: Row[]
}

export interface Row {
  name: Name
  /** CPU seconds per 1 000 requests by mode: the mean over the connection counts, and its ratio to nginx. */
  cpu: Partial<Record<Mode, { seconds: number; ratio: number | undefined }>>
  firstByte: { ms: number; ratio: number | undefined }
  /** The same where each request brings a tool's result, and what 95 % did not exceed. */
  withResults: { ms: number; p95Ms: number }
  total: { ms: number; ratio: number | undefined }
  perSecond: { connections: number; rate: number; ratio: number | undefined }
  memory: Memory | undefined
}

const RATE_AT = 64

/** Turns batches into one row per contestant; every ratio compares numbers of the same run. */
export function summarise({ batches, memory, nginx }: Runs): Summary {
  const names = [...new Set(batches.map(({ name }) => name))]
  const rateAt = batches.some(({ connections }) => connections === RATE_AT)
    ? RATE_AT
    : Math.max(...batches.map(({ connections }) => connections))
  return {
    nginx,
    contestants: names.map((name) => ({
      name,
      cpu: Object.fromEntries(MODES.map((mode) => [mode, cpu(batches, name, mode)])),
      firstByte: compared(batches, name, (of) => Math.min(...of.filter(alone).map((one) => one.firstByteMs)), 'ms'),
      withResults: firstByteWithResults(batches.filter((one) => one.name === name)),
      total: compared(batches, name, (of) => Math.min(...of.filter(alone).map((one) => one.totalMs)), 'ms'),
      perSecond: { connections: rateAt, ...compared(batches, name, (of) => rate(of, rateAt), 'rate') },
      memory: memory[name],
    })),
  }
}

function firstByteWithResults(batches: Measured[]): Row['withResults'] {
  const of = batches.filter(({ mode, connections }) => mode === 'results' && connections === 1)
  return {
    ms: Math.min(...of.map((one) => one.firstByteMs)),
    p95Ms: Math.min(...of.map((one) => one.firstByte95Ms)),
  }
}

function alone({ mode, connections }: Measured): boolean {
  return mode === 'burst' && connections === 1
}

function rate(batches: Measured[], at: number): number {
  const counted = batches.filter(({ mode, connections }) => mode === 'burst' && connections === at)
  return Math.max(...counted.map((one) => one.requests / one.seconds))
}

function compared<Unit extends string>(batches: Measured[], name: Name, read: (of: Measured[]) => number, unit: Unit) {
  const of = (who: Name) => read(batches.filter((one) => one.name === who))
  return { [unit]: of(name), ratio: ratio(of(name), of('direct')) } as Record<Unit, number> & {
    ratio: number | undefined
  }
}

function cpu(batches: Measured[], name: Name, mode: Mode) {
  const levels = [...new Set(batches.map(({ connections }) => connections))]
  // Other work on the machine can only add, so the least of the rounds comes closest to the truth.
  const perThousand = (who: Name, connections: number) => {
    const of = batches.filter((one) => one.name === who && one.mode === mode && one.connections === connections)
    return Math.min(...of.map((one) => ((one.cpuSeconds ?? Number.NaN) / one.requests) * 1000))
  }
  const ratios = levels.map((level) => perThousand(name, level) / perThousand('nginx', level))
  return {
    seconds: geometricMean(levels.map((level) => perThousand(name, level))),
    ratio: finite(geometricMean(ratios)),
  }
}

function ratio(value: number, base: number): number | undefined {
  return finite(value / base)
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined
}

function sum<T>(list: T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0)
}

function geometricMean(values: number[]): number {
  return Math.exp(sum(values, Math.log) / values.length)
}

const COLUMNS: [title: string, read: (row: Row) => string][] = [
  ['CPU burst', ({ cpu }) => withRatio(cpu.burst?.seconds, cpu.burst?.ratio, 3)],
  ['CPU paced', ({ cpu }) => withRatio(cpu.paced?.seconds, cpu.paced?.ratio, 3)],
  ['CPU json', ({ cpu }) => withRatio(cpu.json?.seconds, cpu.json?.ratio, 3)],
  ['CPU slow', ({ cpu }) => withRatio(cpu.slow?.seconds, cpu.slow?.ratio, 3)],
  ['CPU small', ({ cpu }) => withRatio(cpu.small?.seconds, cpu.small?.ratio, 3)],
  ['CPU results', ({ cpu }) => withRatio(cpu.results?.seconds, cpu.results?.ratio, 3)],
  ['first byte, results ms', ({ withResults: { ms, p95Ms } }) => spread(ms, p95Ms)],
  ['first byte ms', ({ firstByte }) => withRatio(firstByte.ms, firstByte.ratio)],
  ['total ms', ({ total }) => withRatio(total.ms, total.ratio)],
  ['peak MB', ({ memory }) => number(memory?.peakMb, 0)],
  ['KB/stream', ({ memory }) => number(memory?.perStreamKb, 0)],
]

/** Prints one line per contestant. */
export function printReport({ contestants, nginx }: Summary): void {
  const columns = ['', ...COLUMNS.map(([title]) => title), `req/s at ${contestants[0]?.perSecond.connections}`]
  const rows = contestants.map((row) => [
    row.name,
    ...COLUMNS.map(([, read]) => read(row)),
    withRatio(row.perSecond.rate, row.perSecond.ratio, 0),
  ])
  const widths = columns.map((title, i) => Math.max(title.length, ...rows.map((cells) => cells[i]!.length)))
  for (const cells of [columns, ...rows])
    console.log(
      cells
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
  console.log(
    '\nCPU: seconds of the process tree per 1 000 requests, the least of the rounds (× nginx, mean over connection counts).',
  )
  console.log(
    'First byte, total: medians at one connection, burst, best round (× direct). Memory: at 256 open streams.',
  )
  if (!nginx) console.log('nginx is not installed, so there are no CPU ratios. Install it to compare.')
}

function spread(half: number, most: number): string {
  return Number.isFinite(half) ? `${half.toFixed(2)} (95 %: ${most.toFixed(2)})` : '–'
}

function withRatio(value: number | undefined, times: number | undefined, digits = 2): string {
  if (value === undefined || !Number.isFinite(value)) return '–'
  return times === undefined ? number(value, digits) : `${number(value, digits)} (×${times.toFixed(2)})`
}

function number(value: number | undefined, digits: number): string {
  return value === undefined ? '–' : value.toFixed(digits)
}
