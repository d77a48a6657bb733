import { isMap, isScalar, isSeq, type Node, stringify, type YAMLMap, type YAMLSeq } from 'yaml'
import type { Intent } from '#core/intent/intent.ts'
import { placedIntents } from './intents-yaml.ts'

/**
 * Edits of `active_intents.yaml` as splices into the text: what people wrote there, comments, order, blank lines and
 * quotes included, stays as it is.
 */

const TEMPLATE = `# What agents may work on. Grove refuses every write that no intent here covers.
active_intents:
`

/** The text with one more intent at the end of its list. */
export function withIntent(text: string, intent: Intent): string {
  const base = text.trim() === '' ? TEMPLATE : text
  const { list } = placedIntents(base)
  if (isSeq(list) && !list.flow && list.items.length > 0) {
    const last = list.items.at(-1) as Node
    const indent = dashColumn(base, list.items[0] as Node)
    return insertAfterLine(base, last.range![1], block(intent, ' '.repeat(indent)))
  }
  // `active_intents:` alone, or an empty `[]`.
  const key = /^active_intents:.*$/m.exec(base)
  if (!key) return `${base.replace(/(?<!\n)\n*$/, '\n')}active_intents:\n${block(intent, '  ')}\n`
  const comment = /\s#.*$/.exec(key[0])?.[0] ?? ''
  const line = `active_intents:${comment}\n${block(intent, '  ')}`
  return base.slice(0, key.index) + line + base.slice(key.index + key[0].length)
}

/** The text with another status for one intent; undefined when there is no such intent. */
export function withStatus(text: string, id: string, status: string): string | undefined {
  const map = mapOf(text, id)
  if (!map) return undefined
  const value = map.get('status', true) as Node | undefined
  if (isScalar(value) && value.range) return splice(text, value.range[0], value.range[1], scalar(status))
  return insertKey(text, map, `status: ${scalar(status)}`)
}

/** The text with more globs in one intent's scope; undefined when there is no such intent. */
export function withScope(text: string, id: string, globs: readonly string[]): string | undefined {
  const map = mapOf(text, id)
  if (!map) return undefined
  const value = map.get('owned_scope', true) as Node | null | undefined
  const quoted = globs.map((glob) => JSON.stringify(glob))
  if (isSeq(value) && value.flow) return intoFlow(text, value, quoted)
  if (isSeq(value) && value.items.length > 0) {
    const last = value.items.at(-1) as Node
    const indent = ' '.repeat(dashColumn(text, last))
    return insertAfterLine(text, last.range![1], quoted.map((glob) => `${indent}- ${glob}`).join('\n'))
  }
  if (isScalar(value) && value.value !== null && value.range) {
    const items = [JSON.stringify(String(value.value)), ...quoted]
    return splice(text, value.range[0], value.range[1], `[${items.join(', ')}]`)
  }
  if (value?.range && map.has('owned_scope')) {
    return splice(text, value.range[0], value.range[1], ` [${quoted.join(', ')}]`)
  }
  return insertKey(text, map, `owned_scope: [${quoted.join(', ')}]`)
}

function intoFlow(text: string, list: YAMLSeq, quoted: string[]): string {
  const end = list.range![1] - 1
  const separator = list.items.length > 0 ? ', ' : ''
  const before = text.slice(0, end).trimEnd().replace(/,$/, '')
  return `${before}${separator}${quoted.join(', ')}${text.slice(end)}`
}

function mapOf(text: string, id: string): YAMLMap | undefined {
  return placedIntents(text).placed.find(({ intent }) => intent.id === id)?.map
}

function insertKey(text: string, map: YAMLMap, line: string): string {
  const id = map.items.find((item) => isScalar(item.key) && item.key.value === 'id')!
  const key = id.key as Node
  const indent = ' '.repeat(columnOf(text, key.range![0]))
  if (map.flow) return splice(text, key.range![0], key.range![0], `${line}, `)
  return insertAfterLine(text, (id.value as Node).range![1], `${indent}${line}`)
}

function block(intent: Intent, indent: string): string {
  const body = stringify(
    [
      {
        id: intent.id,
        name: intent.name,
        status: intent.status,
        ...(intent.owner && { owner: intent.owner }),
        owned_scope: intent.ownedScope,
        constraints: intent.constraints,
        acceptance_criteria: intent.acceptanceCriteria,
        ...(intent.dependencies.length > 0 && { dependencies: intent.dependencies }),
      },
    ],
    { lineWidth: 0 },
  )
  return body
    .trimEnd()
    .split('\n')
    .map((line) => indent + line)
    .join('\n')
}

function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd()
}

/** Where the dash of a list's item stands in its line. */
function dashColumn(text: string, item: Node): number {
  const dash = text.lastIndexOf('-', isMap(item) ? item.range![0] : item.range![0] - 1)
  return columnOf(text, dash)
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1)
}

/** Puts whole lines below the line in which a value ends; a comment behind the value stays with it. */
function insertAfterLine(text: string, valueEnd: number, lines: string): string {
  // A block's end may be the beginning of the next line.
  const at = text[valueEnd - 1] === '\n' ? valueEnd - 1 : valueEnd
  const end = text.indexOf('\n', at)
  if (end < 0) return `${text}\n${lines}\n`
  return `${text.slice(0, end)}\n${lines}${text.slice(end)}`
}

function splice(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end)
}
