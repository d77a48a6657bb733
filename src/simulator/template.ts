/** Puts values in place of `{{name}}` in every string of a value; an unknown name throws. */
export function fill<T>(value: T, vars: Record<string, string>): T {
  if (typeof value === 'string') return fillText(value, vars) as T
  if (Array.isArray(value)) return value.map((item) => fill(item, vars)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, vars)])) as T
}

function fillText(text: string, vars: Record<string, string>): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => {
    const value = vars[name]
    if (value !== undefined) return value
    throw new Error(
      `the scenario uses {{${name}}}, which is not set; known here: ${Object.keys(vars).sort().join(', ')}`,
    )
  })
}
