import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { assertWithin } from '#config/plain-file.ts'
import type { Learning } from '#core/learning/learning.ts'
import type { LearningBackend } from '#core/ports/learning.ts'
import { appendWhole } from '../files/append.ts'
import { type LearningsFile, learningsFile, mergeByUnion } from '../files/learnings-md.ts'
import { markdownBackend } from './markdown.ts'

/**
 * Learnings in a project that keeps its memory with Total Recall: each becomes an entry of the daily log, as its protocol
 * wants, and lasting ones also stand in a register of their own.
 */
export interface TotalRecall extends LearningBackend {
  /** Adds to the daily log only: where passing insights go. */
  note(learning: Learning): Promise<void>
  /** Rewrites a learning in the register; false when it is not there. */
  change: LearningsFile['change']
}

const RULES = ['rules/total-recall.md', '.claude/rules/total-recall.md']

/** Whether a project uses it: its `memory` folder and its rules. */
export function hasTotalRecall(root: string): boolean {
  return isFolder(join(root, 'memory')) && RULES.some((file) => existsSync(join(root, file)))
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    // A file or a device on the way, a loop of links, or a name that is too long: there is none.
    return false
  }
}

export function totalRecallBackend(root: string): TotalRecall {
  const register = learningsFile(join(root, 'memory', 'registers', 'learnings.md'), root)
  const stored = markdownBackend(register, 'total-recall')

  async function note({ at, category, summary, detail, id }: Learning): Promise<void> {
    const time = new Date(at).toISOString()
    const text = `${summary}: ${detail}`.replaceAll(/\s+/g, ' ').replaceAll('<', '\\<')
    const entry = `- ${time.slice(11, 16)} [learning] (${category}) ${text} (${id})\n`
    const path = join(root, 'memory', 'daily', `${time.slice(0, 10)}.md`)
    assertWithin(path, root)
    await appendWhole(path, entry, `# ${time.slice(0, 10)}\n\n`)
  }

  return {
    ...stored,
    note,
    change: register.change,
    async write(learning) {
      await register.append(learning)
      await mergeByUnion(register.path, root)
      await note(learning)
    },
  }
}
