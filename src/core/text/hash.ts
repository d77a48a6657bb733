/** The same number below `buckets` for the same text, on every machine (FNV-1a). */
export function hash(text: string, buckets: number): number {
  let sum = 2166136261
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 16777619)
  return (sum >>> 0) % buckets
}
