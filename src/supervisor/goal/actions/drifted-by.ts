import type { ToolReading } from '#core/action/reading.ts'
import { cap } from '#core/context/fence.ts'
import type { Drifted } from '#core/drift/correction.ts'
import { listed, whyForeign } from '#core/drift/explain.ts'
import type { DriftReading } from '#core/drift/score.ts'
import type { SessionState } from '../../session/session-state.ts'
import type { ActiveWork } from '../../session/work.ts'
import { asked } from './correct.ts'
import { knownWork } from './goal-files.ts'

export function driftedBy(
  session: SessionState,
  active: ActiveWork,
  action: ToolReading,
  touched: string[],
  { reasons, proof }: DriftReading,
): Drifted {
  const [file] = touched
  const known = knownWork(session, active, proof)
  const why = reasons[0]?.why ?? whyForeign({ path: file, command: action.command }, known)
  return { ...asked(active), did: didOf(action, file), why, ...(file && { file }), ...(proof && { proof }) }
}

/** What the agent did, in the past tense. */
function didOf({ kind, command = '', removes, moves, restores, query }: ToolReading, file: string | undefined): string {
  if (file === undefined) return command ? `ran \`${cap(command.replace(/\s+/g, ' '), 60)}\`` : `used ${query ?? kind}`
  if (moves?.includes(file)) return `moved ${movedBy(file, moves)}`
  if (removes?.includes(file)) return `removed ${shortList([file, ...removes.filter((one) => one !== file)])}`
  if (restores?.includes(file)) return file === '.' ? 'threw away what was not committed' : `put back ${file}`
  const by = kind === 'bash' && !command.includes(file) && isShort(command) ? ` by \`${command}\`` : ''
  return `${kind === 'write' ? 'wrote' : 'changed'} ${file}${by}`
}

/** What was moved stands before where it lies now. */
function movedBy(file: string, moves: string[]): string {
  return moves.length === 2 ? moves.join(' to ') : shortList([file, ...moves.filter((one) => one !== file)])
}

function shortList(paths: string[]): string {
  return paths.length < 4 ? listed(paths, 'and') : `${paths.slice(0, 2).join(', ')} and ${paths.length - 2} more`
}

/** A command that can be told in passing. */
function isShort(command: string): boolean {
  return command.length <= 48 && !command.includes('\n') && command.split(' ').length <= 6
}
