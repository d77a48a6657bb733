import type { ShellCommand, ShellNode } from './ast.ts'
import { glob, unknown, type Value } from './values.ts'

/** What a loop does to variables. */

/** Every variable that is set somewhere in there, with what is known of it: a number has no slash. */
export function assignedIn(nodes: readonly ShellNode[]): [string, Value][] {
  return nodes.flatMap((node) => (node.type === 'command' ? node.assigns.map(assigned) : assignedIn(partsOf(node))))
}

function assigned({ name, value }: ShellCommand['assigns'][number]): [string, Value] {
  const isNumber = value.length > 0 && value.every(({ type }) => type === 'number')
  return [name, isNumber ? glob('*') : unknown()]
}

function partsOf(node: Exclude<ShellNode, ShellCommand>): ShellNode[] {
  switch (node.type) {
    case 'pipeline':
      return node.stages
    case 'sequence':
    case 'subshell':
      return node.items
    case 'choice':
      return [...node.condition, ...node.branches.flat()]
    case 'case':
      return node.branches.flatMap(({ body }) => body)
    case 'redirected':
    case 'not':
      return [node.body]
    case 'while':
      return [...node.condition, ...node.body]
    case 'each':
    case 'function':
      return node.body
  }
}

/** The variable of `while read -r name`. */
export function readVariable(condition: ShellNode[]): string | undefined {
  const last = condition.at(-1)
  if (last?.type !== 'command') return undefined
  const words = last.words.map((word) => (word[0]?.type === 'text' ? word[0].text : ''))
  return words[0] === 'read' ? words.slice(1).findLast((word) => /^\w+$/.test(word)) : undefined
}
