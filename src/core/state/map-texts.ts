import type { Exact } from '../ports/state.ts'

/**
 * A value with every text in it replaced by what `map` makes of it, which is told whether the slot keeps that text exactly.
 * Where nothing changes, the same value comes back: copying what holds no secret would cost more than looking at it.
 */
export function mapTexts<T>(value: T, exact: Exact | undefined, map: (text: string, isExact: boolean) => string): T {
  const fields = new Set(exact?.fields === 'all' ? [] : exact?.fields)
  const mapped = (given: unknown, isExact: boolean): unknown => {
    if (typeof given === 'string') return map(given, isExact)
    if (typeof given !== 'object' || given === null) return given
    if (Array.isArray(given)) return changedItems(given, (inner) => mapped(inner, isExact)) ?? given
    return changedFields(given, (name, inner) => mapped(inner, isExact || fields.has(name))) ?? given
  }
  return mapped(value, exact?.fields === 'all') as T
}

/** Visits every text in a value that the slot does not keep exactly. */
export function visitTexts(value: unknown, exact: Exact | undefined, visit: (text: string) => void): void {
  if (exact?.fields === 'all') return
  const fields = new Set(exact?.fields)
  const look = (given: unknown) => {
    if (typeof given === 'string') visit(given)
    else if (Array.isArray(given)) given.forEach(look)
    else if (typeof given === 'object' && given !== null) {
      for (const [name, inner] of Object.entries(given)) if (!fields.has(name)) look(inner)
    }
  }
  look(value)
}

function changedItems(list: unknown[], change: (inner: unknown) => unknown): unknown[] | undefined {
  let copy: unknown[] | undefined
  for (const [index, inner] of list.entries()) {
    const after = change(inner)
    if (after === inner) continue
    copy ??= [...list]
    copy[index] = after
  }
  return copy
}

function changedFields(fields: object, change: (name: string, inner: unknown) => unknown): object | undefined {
  let copy: Record<string, unknown> | undefined
  for (const [name, inner] of Object.entries(fields)) {
    const after = change(name, inner)
    if (after === inner) continue
    copy ??= Object.fromEntries(Object.entries(fields))
    // A plain assignment to a field of the name `__proto__` would do something else.
    Object.defineProperty(copy, name, { value: after, enumerable: true, configurable: true, writable: true })
  }
  return copy
}
