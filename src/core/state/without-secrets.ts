import type { Exact } from '../ports/state.ts'

/**
 * A value with every text in it passed through `mask`, but for what a slot keeps exactly. Where nothing changes, the same
 * value comes back: most values hold no secret, and copying them would cost more than looking.
 */
export function withoutSecrets<T>(value: T, exact: Exact | undefined, mask: (text: string) => string): T {
  if (exact?.fields === 'all') return value
  const untouched = new Set(exact?.fields)
  const clean = (given: unknown): unknown => {
    if (typeof given === 'string') return mask(given)
    if (typeof given !== 'object' || given === null) return given
    if (Array.isArray(given)) return changedItems(given, clean) ?? given
    return changedFields(given, (name, inner) => (untouched.has(name) ? inner : clean(inner))) ?? given
  }
  return clean(value) as T
}

function changedItems(list: unknown[], clean: (inner: unknown) => unknown): unknown[] | undefined {
  let copy: unknown[] | undefined
  for (const [index, inner] of list.entries()) {
    const after = clean(inner)
    if (after === inner) continue
    copy ??= [...list]
    copy[index] = after
  }
  return copy
}

function changedFields(fields: object, clean: (name: string, inner: unknown) => unknown): object | undefined {
  let copy: Record<string, unknown> | undefined
  for (const [name, inner] of Object.entries(fields)) {
    const after = clean(name, inner)
    if (after === inner) continue
    // A field may have any name, also one that an assignment would take for something else.
    copy ??= Object.fromEntries(Object.entries(fields))
    Object.defineProperty(copy, name, { value: after, enumerable: true, configurable: true, writable: true })
  }
  return copy
}
