import { z } from 'zod'
import { isObject } from './json.ts'

/**
 * The client on the other side is updated without asking us. So every reader here follows three rules: fields nobody
 * described survive, a field we can live without reads as absent when it has an odd shape, and a kind nobody
 * described is kept whole instead of being refused.
 */

/** A field we can live without: when it is missing or odd, the rest of the value still counts. */
export function maybe<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined)
}

/** A field that may be missing and may hold anything. */
export const anything = z.unknown().optional()

/** Any JSON object, its content unread. */
export const AnyObject = z.record(z.string(), z.unknown())

/** What no described kind fits: kept as it came, under the discriminator of its family. */
export type Unknown<Key extends string> = { [K in Key]: 'unknown' } & { raw: unknown }

/** A reader that picks the schema by the value's own `key` and never throws: what no schema takes comes back as `Unknown`. */
export function readerByKind<const Key extends string, Kinds extends Record<string, z.ZodType>>(
  key: Key,
  kinds: Kinds,
) {
  return (raw: unknown): z.output<Kinds[keyof Kinds]> | Unknown<Key> => {
    const kind = isObject(raw) ? raw[key] : undefined
    const schema = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    const read = schema?.safeParse(raw)
    return read?.success ? (read.data as z.output<Kinds[keyof Kinds]>) : ({ [key]: 'unknown', raw } as Unknown<Key>)
  }
}
