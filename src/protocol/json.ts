/** JSON from outside, before anything is known about it. */

/** Whether a value is a JSON object: no list, and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `JSON.parse` as a value: broken text is `undefined`, which no JSON text means. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Broken JSON is an expected input here; the caller decides what it means.
    return undefined
  }
}
