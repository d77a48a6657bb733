/** One line on the terminal that changes while something takes its time; silent without a terminal. */
export interface Progress {
  show(done: number, total: number, text: string): void
  /** Clears the line. */
  end(): void
}

const WIDTH = 24
const EVERY_MS = 80
const UNKNOWN_COLUMNS = 80

export function progress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let shownAt = 0
  let shown = false
  return {
    show(done, total, text) {
      if (!stream.isTTY || Date.now() - shownAt < EVERY_MS) return
      shownAt = Date.now()
      shown = true
      // The total is unknown: then there is no bar to draw.
      const line = total > 0 ? `${bar(done, total)} ${text}` : text
      stream.write(`\r\x1b[2K${line.slice(0, Math.max(20, (stream.columns || UNKNOWN_COLUMNS) - 1))}`)
    },
    end() {
      if (shown) stream.write('\r\x1b[2K')
    },
  }
}

function bar(done: number, total: number): string {
  const share = Math.min(1, done / total)
  const full = Math.round(share * WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${String(Math.floor(share * 100)).padStart(3)} %`
}
