/** The day of a time in UTC, as in ISO 8601: `2026-01-31`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
