import { stripVTControlCharacters } from 'node:util'
import { redact } from '#core/redact/redact.ts'
import { HeadAndTail } from '../process/head-and-tail.ts'

const KEPT = { head: 8 * 1024, tail: 56 * 1024 }

/** `job<tab>step<tab>2026-01-01T00:00:00.0000000Z text` as the texts, each step under its name; both ends of a long one. */
export function readableLog(log: string): string {
  let under = ''
  const ends = new HeadAndTail(KEPT)
  for (const line of stripVTControlCharacters(log).split('\n')) {
    const [, job = '', step = '', text = line] =
      /^([^\t]*)\t([^\t]*)\t\uFEFF?(?:\d{4}-\d\d-\d\dT[\d:.]+Z ?)?(.*)$/.exec(line) ?? []
    const title = job && `${job} / ${step}`
    if (title && title !== under) ends.add(Buffer.from(`## ${title}\n`))
    under = title || under
    ends.add(Buffer.from(`${text}\n`))
  }
  return redact(ends.text().trimEnd())
}
