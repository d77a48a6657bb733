import { isObject } from './json.ts'
/**
 * Readers for what reaches Grove with every tool call, also where each process starts anew: plain functions, because
 * building a schema would take longer than reading with it. Tolerant: unknown fields survive, and only a
 * missing field that is needed makes a value unreadable.
 */

/** Reads one value; undefined when it is missing or odd. */
export type Read<T> = (value: unknown) => T | undefined

export const text: Read<string> = (value) => (typeof value === 'string' ? value : undefined)
export const amount: Read<number> = (value) => (typeof value === 'number' ? value : undefined)
export const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)
export const list: Read<unknown[]> = (value) => (Array.isArray(value) ? value : undefined)
export const object: Read<Record<string, unknown>> = (value) => (isObject(value) ? value : undefined)
export const anything: Read<unknown> = (value) => value

/** One field of a shape: how it is read, and what happens when that fails. */
interface Field<T, Kind extends 'must' | 'may' | 'else'> {
  kind: Kind
  read: Read<T>
  instead?: () => T
}

/** Without this field the whole value makes no sense. */
export function must<T>(read: Read<T>): Field<T, 'must'> {
  return { kind: 'must', read }
}

/** A field we can live without. */
export function may<T>(read: Read<T>): Field<T, 'may'> {
  return { kind: 'may', read }
}

/** A field that always has a value. */
export function orElse<T>(read: Read<T>, instead: () => NoInfer<T>): Field<T, 'else'> {
  return { kind: 'else', read, instead }
}

export type Shape = Record<string, Field<unknown, 'must' | 'may' | 'else'>>

/** The value of a shape: its fields, and whatever else came along. */
export type Shaped<S extends Shape> = {
  [K in keyof S as S[K]['kind'] extends 'may' ? never : K]: S[K] extends Field<infer T, infer _> ? T : never
} & {
  [K in keyof S as S[K]['kind'] extends 'may' ? K : never]?: S[K] extends Field<infer T, infer _>
    ? T | undefined
    : never
} & { [other: string]: unknown }

/** A reader for objects of this shape; unknown fields survive. */
export function shaped<S extends Shape>(shape: S): Read<Shaped<S>> {
  const fields = Object.entries(shape)
  return (value) => {
    if (!isObject(value)) return undefined
    const result: Record<string, unknown> = { ...value }
    for (const [name, { kind, read, instead }] of fields) {
      const found = read(value[name])
      if (found === undefined && kind === 'must') return undefined
      if (found !== undefined || name in value || instead) result[name] = found ?? instead?.() ?? found
    }
    return result as Shaped<S>
  }
}

/** A reader for lists whose every item can be read. */
export function listOf<T>(read: Read<T>): Read<T[]> {
  return (value) => {
    if (!Array.isArray(value)) return undefined
    const items = value.flatMap((item) => read(item) ?? [])
    return items.length === value.length ? items : undefined
  }
}
