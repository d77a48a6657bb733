import { parseJson } from './json.ts'

/** JSON files that people write by hand: what they mean, where everything stands in them, and where they are broken. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** Where a text stops being JSON, counted from 1 as editors do. */
export interface JsonProblem {
  message: string
  line: number
  column: number
}

export type JsonReading = { ok: true; value: Json } | { ok: false; problem: JsonProblem }

/** The value of a JSON text, or the place where it is broken. */
export function readJson(text: string): JsonReading {
  try {
    parseTree(text)
    return { ok: true, value: jsonValue(text) }
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    const before = text.slice(0, error.at).split('\n')
    return { ok: false, problem: { message: error.message, line: before.length, column: before.at(-1)!.length + 1 } }
  }
}

/** A value and where it stands. */
export interface Node {
  start: number
  end: number
  kind: 'object' | 'array' | 'scalar'
  items: Item[]
}

/** A member of an object or an element of an array; an element's key is its index. */
interface Item {
  start: number
  key: string
  node: Node
}

/** Equal as JSON values; the order of members does not count. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]!))
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key]!, b[key]!))
  )
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a text that is known to be JSON; a byte order mark is allowed for. */
export function jsonValue(text: string): Json {
  return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
}

class Broken extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message)
  }
}

function isJson(token: string): boolean {
  return parseJson(token) !== undefined
}

const MAX_DEPTH = 200
const SPACE = /[ \t\r\n]*/y
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y
const WORD = /[-+.\w]+/y

/** A strict JSON parser that remembers where everything stands, which `JSON.parse` does not say. */
export function parseTree(text: string): Node {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  const root = value(0)
  space()
  if (at < text.length) fail('nothing more was expected here')
  return root

  function value(depth: number): Node {
    space()
    if (depth > MAX_DEPTH) fail('nested too deeply')
    if (text[at] === '{') return list('object', '}', depth)
    if (text[at] === '[') return list('array', ']', depth)
    return scalar('a value was expected here')
  }

  function list(kind: 'object' | 'array', close: string, depth: number): Node {
    const start = at++
    const items: Item[] = []
    space()
    while (text[at] !== close) {
      if (items.length > 0 && text[at++] !== ',') fail(`"," or "${close}" was expected here`, at - 1)
      space()
      const itemStart = at
      const key = kind === 'object' ? memberKey() : String(items.length)
      items.push({ start: itemStart, key, node: value(depth + 1) })
      space()
    }
    return { start, end: ++at, kind, items }
  }

  function memberKey(): string {
    if (text[at] !== '"') fail('a key in double quotes was expected here')
    const { start, end } = scalar('this key is not a complete string')
    space()
    if (text[at++] !== ':') fail('":" was expected here', at - 1)
    return JSON.parse(text.slice(start, end))
  }

  function scalar(expectation: string): Node {
    const start = at
    const isString = text[at] === '"'
    const token = isString ? STRING : WORD
    token.lastIndex = at
    const found = token.exec(text)?.[0]
    if (found === undefined || !isJson(found)) fail(isString ? 'this string is not closed, or not legal' : expectation)
    at += found.length
    return { start, end: at, kind: 'scalar', items: [] }
  }

  function space() {
    SPACE.lastIndex = at
    at += SPACE.exec(text)![0].length
  }

  // A declaration, so that TypeScript knows code after it is not reached.
  function fail(message: string, where = at): never {
    throw new Broken(where >= text.length ? 'the file ends too early' : message, where)
  }
}
