/**
 * NUL and half a surrogate pair: SQLite would keep them, but the team's PostgreSQL refuses a document that has them. An
 * excerpt may well be cut inside a pair.
 */
const UNSTORABLE = /[\0\ud800-\udfff]/gu

/** The same value with every text in it fit to be stored and shared. */
export function storable<T>(value: T): T {
  return clean(value) as T
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(UNSTORABLE, '\uFFFD')
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]))
}

export function toJson(value: readonly unknown[]): string {
  return JSON.stringify(value)
}

export function fromJson<T>(json: string): T[] {
  return JSON.parse(json) as T[]
}

type WithoutNulls<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: NonNullable<T[K]>
}

/** What a row does not know is absent from the value, not null. */
export function withoutNulls<T extends object>(row: T): WithoutNulls<T> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as WithoutNulls<T>
}
