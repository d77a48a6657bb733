type FieldKind = 'string' | 'number' | 'boolean' | 'array' | 'object'

type KindOf<Value> = Value extends string
  ? 'string'
  : Value extends number
    ? 'number'
    : Value extends boolean
      ? 'boolean'
      : Value extends readonly unknown[]
        ? 'array'
        : 'object'

type RequiredKeys<T> = { [Key in keyof T]-?: object extends Pick<T, Key> ? never : Key }[keyof T]

/**
 * A reader of stored objects: one that has every required field, of the right kind, is taken for a `T`. The compiler asks
 * for every required field of the type, so that a reader cannot fall behind it.
 */
export function objectOf<T extends object>(
  required: { [Key in RequiredKeys<T>]: KindOf<T[Key]> },
): (stored: unknown) => T | undefined {
  const fields = Object.entries<FieldKind>(required)
  return (stored) =>
    isObject(stored) && fields.every(([name, kind]) => kindOf(stored[name]) === kind) ? (stored as T) : undefined
}

/** A reader of numbers. */
export function readNumber(stored: unknown): number | undefined {
  return typeof stored === 'number' ? stored : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return value === null ? 'null' : typeof value
}
