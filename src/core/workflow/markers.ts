/**
 * Reports that an agent writes as text: `[NAME key="value"]`, body, `[/NAME]`. A tag counts only on a line of its own,
 * outside code fences and in exactly this case. Text may come in pieces of any size.
 */
export interface Marker {
  name: MarkerName
  attributes: Record<string, string>
  body: string
}

const BLOCKS = [
  'DECISION_NEEDED',
  'PLAN_STEP',
  'STEP_COMPLETE',
  'IMPLEMENTATION_COMPLETE',
  'IMPLEMENTATION_STATUS',
  'PR_CREATED',
  'CI_STATUS',
  'PR_APPROVED',
] as const
/** These stand alone. A checkpoint wraps decisions, so that its two tags are no more than places in the text. */
const LINES = ['PLAN_MODE_ENTERED', 'PLAN_MODE_EXITED', 'PLAN_FILE', 'PLAN_APPROVED', 'REVIEW_CHECKPOINT'] as const
export type MarkerName = (typeof BLOCKS)[number] | (typeof LINES)[number]

export interface MarkersRead {
  markers: Marker[]
  /** A marker that was opened and never closed: left for the judge or a person. */
  unclosed: string[]
}

const TAG = /^\[(\/?)([A-Z_]+)((?:\s+[a-z_]+="[^"]*")*)\s*\]$/
const ATTRIBUTE = /(?<![a-z_])([a-z_]+)="([^"]*)"/g
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Reads a text as it streams. */
export class MarkerReader {
  #rest = ''
  #fence: string | null = null
  #open: { name: MarkerName; attributes: Record<string, string>; lines: string[]; opening: string } | null = null
  #read: MarkersRead = { markers: [], unclosed: [] }

  /** Takes a piece, and gives what is complete with it. */
  push(piece: string): MarkersRead {
    const lines = (this.#rest + piece).split('\n')
    this.#rest = lines.pop()!
    for (const line of lines) this.#take(line)
    return this.#given()
  }

  /** The text is over. */
  end(): MarkersRead {
    this.#take(this.#rest)
    this.#rest = ''
    this.#fence = null
    this.#giveUp()
    return this.#given()
  }

  #given(): MarkersRead {
    const read = this.#read
    this.#read = { markers: [], unclosed: [] }
    return read
  }

  #take(raw: string): void {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const tag = this.#isFenced(line) ? undefined : readTag(line)
    if (!tag) this.#open?.lines.push(line)
    else if (tag.closes) this.#close(tag.name)
    else this.#begin(tag.name, tag.attributes, line)
  }

  /** Whether the line belongs to a code fence, its edges included. */
  #isFenced(line: string): boolean {
    const edge = FENCE.exec(line)?.[1]
    if (this.#fence === null) {
      this.#fence = edge ?? null
      return edge !== undefined
    }
    if (edge && edge[0] === this.#fence[0] && edge.length >= this.#fence.length && line.trim() === edge)
      this.#fence = null
    return true
  }

  #begin(name: MarkerName, attributes: Record<string, string>, opening: string): void {
    if (isLine(name)) {
      this.#read.markers.push({ name, attributes, body: '' })
      return
    }
    this.#giveUp()
    this.#open = { name, attributes, lines: [], opening }
  }

  #close(name: MarkerName): void {
    if (this.#open?.name !== name) return
    const { attributes, lines } = this.#open
    this.#read.markers.push({ name, attributes, body: lines.join('\n').trim() })
    this.#open = null
  }

  #giveUp(): void {
    if (!this.#open) return
    this.#read.unclosed.push([this.#open.opening, ...this.#open.lines].join('\n'))
    this.#open = null
  }
}

function readTag(line: string): { name: MarkerName; attributes: Record<string, string>; closes: boolean } | undefined {
  const match = TAG.exec(line.trim())
  if (!match) return undefined
  const [, slash, name, attributes] = match
  if (!isName(name!)) return undefined
  if (slash && attributes) return undefined
  return {
    name,
    closes: slash === '/',
    attributes: Object.fromEntries([...attributes!.matchAll(ATTRIBUTE)].map(([, key, value]) => [key!, value!])),
  }
}

function isName(name: string): name is MarkerName {
  return (BLOCKS as readonly string[]).includes(name) || isLine(name as MarkerName)
}

function isLine(name: MarkerName): boolean {
  return (LINES as readonly string[]).includes(name)
}

/** A marker that never ended, as if it had: to the blank line that follows what belongs to it. */
export function markerCutShort(text: string): Marker | undefined {
  const [opening = '', ...lines] = text.split('\n')
  const tag = readTag(opening)
  if (!tag || tag.closes) return undefined
  const body = lines
    .join('\n')
    .trim()
    .split(/\n[^\S\n]*\n(?!\s{0,20}(?:[-*]|\d+[.)])\s)/, 1)[0]!
  return body === '' ? undefined : { name: tag.name, attributes: tag.attributes, body }
}
