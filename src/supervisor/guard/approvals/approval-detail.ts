import type { ToolEffect } from '#core/action/reading.ts'
import { lineDiff } from '#core/trace/line-diff.ts'
import { undo, type ViolatedFile } from '../after-tool/violations.ts'
import type { Expectation } from '../before-tool/targets.ts'
import type { GuardWorld } from '../world.ts'

/** What a person sees before they answer: the diff, or the command and what it would touch. */

const MOST_PATHS = 40

/** The parts of a call that are shown to the person who decides. */
interface Told {
  tool: string
  effect: ToolEffect
  event: { tool_input: Record<string, unknown> }
}

/** What would be done, in one line. */
export function whatOf({ tool, effect }: Pick<Told, 'tool' | 'effect'>, { targets }: Expectation): string {
  if (effect.kind === 'shell') return `${tool}: ${effect.command}`
  return `${tool} ${targets.map(({ shown }) => shown).join(', ')}`.trim()
}

/** The diff of a write, or the command as a whole with what it would touch. */
export async function detailOf(world: Pick<GuardWorld, 'files'>, call: Told, expected: Expectation): Promise<string> {
  return call.effect.kind === 'shell' ? commandDetail(call.effect, expected) : diffDetail(world, call, expected)
}

function commandDetail({ command, script }: Extract<ToolEffect, { kind: 'shell' }>, expected: Expectation): string {
  const paths = [...new Set(expected.targets.map(({ shown }) => shown))]
  const shown = paths.slice(0, MOST_PATHS).join('\n  ')
  const rest = paths.length > MOST_PATHS ? `\n  and ${paths.length - MOST_PATHS} more` : ''
  return [
    `$ ${command}`,
    ...(script.outward.length > 0 ? [`Reaches outside the working tree: ${script.outward.join('; ')}`] : []),
    ...(paths.length > 0 ? [`Writes:\n  ${shown}${rest}`] : []),
    ...(expected.undecided ? ['May write more than can be read from it; what it changes is compared afterwards.'] : []),
  ].join('\n\n')
}

async function diffDetail({ files }: Pick<GuardWorld, 'files'>, { event, tool }: Told, { targets }: Expectation) {
  const [target] = targets
  const before = target && (await files.read(target.absolute))?.text
  const after = textAfter(before ?? '', event.tool_input)
  if (!target || after === undefined) return `${tool} ${JSON.stringify(event.tool_input, null, 2)}`
  return `--- ${before === undefined ? '/dev/null' : target.shown}\n+++ ${target.shown}\n${lineDiff(before ?? '', after)}`
}

/** What was changed without permission: for each file the diff, where its former text is at hand, and the way back. */
export async function changesDetail(
  { files }: Pick<GuardWorld, 'files'>,
  changed: readonly ViolatedFile[],
): Promise<string> {
  const parts = changed.slice(0, MOST_PATHS).map(async (one) => {
    const before = one.copy ? (await files.read(one.copy))?.text : one.before === null ? '' : undefined
    const after = (await files.read(one.absolute))?.text ?? ''
    const back = `Back with: ${undo(one)}`
    if (before === undefined) return `${one.path}\n${back}`
    return `--- ${one.before === null ? '/dev/null' : one.path}\n+++ ${one.path}\n${lineDiff(before, after)}\n${back}`
  })
  return (await Promise.all(parts)).join('\n\n')
}

/** What the file would say; undefined for tools that do not tell. */
function textAfter(before: string, input: Record<string, unknown>): string | undefined {
  if (typeof input.content === 'string') return input.content
  const edits = Array.isArray(input.edits) ? (input.edits as Record<string, unknown>[]) : [input]
  let text = before
  for (const { old_string: from, new_string: to, replace_all: all } of edits) {
    if (typeof from !== 'string' || typeof to !== 'string') return undefined
    text = all === true ? text.replaceAll(from, () => to) : text.replace(from, () => to)
  }
  return text
}
