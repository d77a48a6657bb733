import type { Insertion } from '#protocol/request-scan.ts'

/** The body with every insertion put in; insertions at one place keep their order. */
export function splice(
  body: Buffer,
  insertions: readonly Insertion[],
  allocate: (length: number) => Buffer = Buffer.allocUnsafeSlow,
): Buffer {
  const sorted = insertions.length === 1 ? insertions : [...insertions].sort((a, b) => a.at - b.at)
  let length = body.length
  for (const { at, bytes } of sorted) {
    if (!Number.isInteger(at) || at < 0 || at > body.length) throw new RangeError(`No position ${at} in this body`)
    length += bytes.length
  }
  const spliced = allocate(length)
  let from = 0
  let to = 0
  for (const { at, bytes } of sorted) {
    body.copy(spliced, to, from, at)
    to += at - from
    spliced.set(bytes, to)
    to += bytes.length
    from = at
  }
  body.copy(spliced, to, from)
  return spliced
}
