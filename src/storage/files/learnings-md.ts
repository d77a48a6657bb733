import { basename, dirname, join } from 'node:path'
import { assertWithin, readPlain } from '#config/plain-file.ts'
import type { Learning } from '#core/learning/learning.ts'
import { appendWhole } from './append.ts'
import { writeAtomic } from './atomic.ts'
import { FILE_HEAD, renderLearning } from './learnings-text.ts'
import { withLock } from './lock.ts'
import { parseLearnings } from './parse-learnings.ts'
import { NO_FILE, stampOf } from './stamp.ts'

/** A markdown file of learnings that grows at its end and that people may edit in any way. */
export interface LearningsFile {
  path: string
  read(): Promise<Learning[]>
  append(learnings: Learning | readonly Learning[]): Promise<void>
  /** Puts these in, each where it stands or else at the end, and takes those out; in one writing. */
  merge(learnings: readonly Learning[], gone: ReadonlySet<string>): Promise<void>
  /** Rewrites one learning where it stands and leaves every other byte alone; false when it is not there. */
  change(id: string, change: (learning: Learning) => Learning): Promise<boolean>
}

/** `root`: the project it must not lead out of; absent for a person's own file. */
export function learningsFile(path: string, root?: string): LearningsFile {
  const check = () => root !== undefined && assertWithin(path, root)
  let kept: { stamp: string; learnings: Learning[] } | undefined
  return {
    path,
    /** Read again only when the file has changed since. */
    async read() {
      const stamp = stampOf(path)
      if (stamp !== undefined && kept?.stamp === stamp) return kept.learnings
      // Many have none of their own, and trying to read it would take longer than all the rest.
      if (stamp === NO_FILE) return []
      check()
      const learnings = parseLearnings(textOf(path)).map(({ learning }) => learning)
      kept = stamp === undefined ? undefined : { stamp, learnings }
      return learnings
    },
    append: (learnings) =>
      withLock(path, async () => {
        check()
        const text = [learnings].flat().map(renderLearning).join('')
        await appendWhole(path, /\r\n/.test(textOf(path)) ? text.replaceAll('\n', '\r\n') : text, FILE_HEAD)
      }),
    merge: (learnings, gone) =>
      withLock(path, async () => {
        check()
        const before = textOf(path) || FILE_HEAD
        const after = merged(before, learnings, gone)
        if (after !== before) await writeAtomic(path, after)
      }),
    change: (id, change) =>
      withLock(path, async () => {
        check()
        const text = textOf(path)
        const block = parseLearnings(text).find(({ learning }) => learning.id === id)
        if (!block) return false
        const changed = renderLearning(change(block.learning))
        // What stays the same keeps the form a person gave it.
        if (changed === renderLearning(block.learning)) return true
        const lines = text.split('\n')
        const ending = lines[block.start]!.endsWith('\r') ? '\r' : ''
        const fresh = changed.trimEnd().split('\n')
        lines.splice(block.start, block.end - block.start, ...fresh.map((line) => `${line}${ending}`))
        await writeAtomic(path, lines.join('\n'))
        return true
      }),
  }
}

/** From the end on, so that no line moves before it was looked at. */
function merged(text: string, learnings: readonly Learning[], gone: ReadonlySet<string>): string {
  const ending = /\r\n/.test(text) ? '\r' : ''
  const wanted = new Map(learnings.map((learning) => [learning.id, learning]))
  const lines = text.split('\n')
  const asLines = (learning: Learning) =>
    renderLearning(learning)
      .trimEnd()
      .split('\n')
      .map((line) => `${line}${ending}`)
  for (const { learning, start, end } of parseLearnings(text).toReversed()) {
    const fresh = wanted.get(learning.id)
    wanted.delete(learning.id)
    if (gone.has(learning.id)) lines.splice(start, end - start)
    else if (fresh && renderLearning(fresh) !== renderLearning(learning)) {
      lines.splice(start, end - start, ...asLines(fresh))
    }
  }
  const whole = lines.join('\n')
  const added = [...wanted.values()].flatMap((learning) => [...asLines(learning), ending])
  const gap = whole === '' || whole.endsWith('\n') ? '' : `${ending}\n`
  return added.length === 0 ? whole : `${whole}${gap}${added.join('\n')}\n`
}

/** Some ten thousand learnings; reading many more would hold up everything else. */
const MOST_BYTES = 16 * 1024 * 1024

/** At once: it is little as a rule, and asking for it in the background would take longer. */
function textOf(path: string): string {
  try {
    return readPlain(path, { most: MOST_BYTES }).toString('utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return ''
    throw error
  }
}

/** Tells git to keep the lines of both sides where two branches added to the same file. */
export async function mergeByUnion(path: string, root: string): Promise<void> {
  const file = join(dirname(path), '.gitattributes')
  assertWithin(file, root)
  const rule = `${basename(path)} merge=union`
  if (!textOf(file).includes(rule)) await appendWhole(file, `${rule}\n`)
}
