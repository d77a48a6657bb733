import { isJsonObject, type Json, type JsonObject, jsonValue, type Node, parseTree, sameJson } from './json-text.ts'

/**
 * Changes in a JSON file that belongs to another program, without touching a byte of the rest: indentation, inline
 * arrays, number formats and key order stay as their owner wrote them.
 */

/** The text with the smallest change that makes it mean `value`. Adding members and taking them away again restores it exactly. */
export function editJson(text: string, value: Json): string {
  const edits = new Editor(text).change(parseTree(text), jsonValue(text), value)
  return edits
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((result, { start, end, insert }) => result.slice(0, start) + insert + result.slice(end), text)
}

interface Edit {
  start: number
  end: number
  insert: string
}

class Editor {
  private readonly eol: string
  private readonly unit: string
  /** A file of one line stays one line. */
  private readonly inline: boolean

  constructor(private readonly text: string) {
    this.eol = text.includes('\r\n') ? '\r\n' : '\n'
    this.unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
    this.inline = !text.trim().includes('\n') && /[^\s{}[\]\uFEFF]/.test(text)
  }

  change(node: Node, old: Json, now: Json): Edit[] {
    if (sameJson(old, now)) return []
    const steps =
      isJsonObject(old) && isJsonObject(now)
        ? memberSteps(old, now)
        : Array.isArray(old) && Array.isArray(now)
          ? elementSteps(old, now)
          : undefined
    if (!steps || replacesAll(node, steps))
      return [{ start: node.start, end: node.end, insert: this.print(now, this.indentAt(node.start)) }]
    const within = steps.changed.flatMap(([key, from, to]) => {
      const item = node.items.findLast((item) => item.key === key)!
      return this.change(item.node, from, to)
    })
    return [...within, ...this.remove(node, steps.removed), ...this.append(node, steps)]
  }

  private remove(node: Node, removed: Set<string>): Edit[] {
    const { items } = node
    const firstKept = items.findIndex(({ key }) => !removed.has(key))
    if (items.length === 0 || removed.size === 0) return []
    if (firstKept < 0) return [{ start: node.start + 1, end: node.end - 1, insert: this.emptied(node) }]
    const leading = firstKept > 0 ? [{ start: items[0]!.start, end: items[firstKept]!.start, insert: '' }] : []
    const later = items.flatMap((item, index) =>
      index > firstKept && removed.has(item.key)
        ? [{ start: items[index - 1]!.node.end, end: item.node.end, insert: '' }]
        : [],
    )
    return [...leading, ...later]
  }

  /** What stays between the brackets when all items go: exactly what `fill` had found there. */
  private emptied({ start, end, items }: Node): string {
    const lead = this.text.slice(start + 1, items[0]!.start)
    const rest = this.text.slice(items.at(-1)!.node.end, end - 1)
    return lead.includes('\n') ? rest.replace(/^\r?\n[ \t]*/, '') : lead
  }

  private append(node: Node, { added }: Steps): Edit[] {
    if (added.length === 0) return []
    const last = node.items.at(-1)
    if (!last) return this.fill(node, added)
    const lead = this.text.slice(node.start + 1, node.items[0]!.start)
    const comma = lead === '' && /[,:] /.test(this.text) ? ', ' : ','
    const parts = added.map(([key, value]) => lead + this.printItem(node, key, value, lead))
    return [{ start: last.node.end, end: last.node.end, insert: comma + parts.join(comma) }]
  }

  /** Items for an empty container: on lines of their own, unless the file or the brackets are kept on one line. */
  private fill(node: Node, added: Steps['added']): Edit[] {
    const base = this.indentAt(node.start)
    const within = this.text.slice(node.start + 1, node.end - 1)
    const inline = this.inline || (within !== '' && !within.includes('\n'))
    const lead = inline ? within : this.eol + base + this.unit
    const parts = added.map(([key, value]) => lead + this.printItem(node, key, value, lead))
    return [{ start: node.start + 1, end: node.start + 1, insert: parts.join(',') + (inline ? '' : this.eol + base) }]
  }

  private printItem(node: Node, key: string, value: Json, lead: string): string {
    const printed = this.print(value, /(?<![^\r\n])[^\r\n]*$/.exec(lead)![0])
    if (node.kind === 'array') return printed
    return `${JSON.stringify(key)}:${this.inline && !/": /.test(this.text) ? '' : ' '}${printed}`
  }

  private print(value: Json, indent: string): string {
    if (this.inline) return JSON.stringify(value)
    return JSON.stringify(value, null, this.unit).replaceAll('\n', this.eol + indent)
  }

  private indentAt(position: number): string {
    const line = this.text.lastIndexOf('\n', position - 1) + 1
    return /^[ \t]*/.exec(this.text.slice(line, position))![0]
  }
}

interface Steps {
  changed: [key: string, from: Json, to: Json][]
  removed: Set<string>
  added: [key: string, value: Json][]
}

function replacesAll({ items }: Node, { added, removed }: Steps): boolean {
  return items.length > 0 && added.length > 0 && items.every(({ key }) => removed.has(key))
}

/** Undefined when the order of the members changed: such an object is printed anew. */
function memberSteps(old: JsonObject, now: JsonObject): Steps | undefined {
  const kept = Object.keys(old).filter((key) => Object.hasOwn(now, key))
  const added = Object.keys(now).filter((key) => !Object.hasOwn(old, key))
  if ([...kept, ...added].join('\0') !== Object.keys(now).join('\0')) return undefined
  return {
    changed: kept.map((key) => [key, old[key]!, now[key]!]),
    removed: new Set(Object.keys(old).filter((key) => !Object.hasOwn(now, key))),
    added: added.map((key) => [key, now[key]!]),
  }
}

/** Elements taken out anywhere and put in at the end, or changed in place; undefined for any other change. */
function elementSteps(old: Json[], now: Json[]): Steps | undefined {
  if (old.length === now.length) {
    return { changed: old.map((value, i) => [String(i), value, now[i]!]), removed: new Set(), added: [] }
  }
  const removed = new Set<string>()
  let kept = 0
  old.forEach((value, i) => {
    if (kept < now.length && sameJson(value, now[kept]!)) kept++
    else removed.add(String(i))
  })
  if (kept < now.length && removed.size > 0) return undefined
  return { changed: [], removed, added: now.slice(kept).map((value) => ['', value]) }
}
