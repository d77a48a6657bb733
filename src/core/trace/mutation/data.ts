/** One line for JSON, with or without comments and trailing commas: equal lines mean equal data, whatever the order of keys. */
export function canonicalJson(text: string): string | undefined {
  try {
    return canonical(JSON.parse(plainJson(text)))
  } catch {
    // Not JSON after all: the caller compares it as text.
    return undefined
  }
}

/** One line for any data; keys are sorted, so that their order does not matter. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'bigint') return `${value}`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'undefined'
  const entries = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`)
  return `{${entries.sort().join(',')}}`
}

/** Comments and trailing commas out; numbers too long to be kept exactly become strings. */
function plainJson(text: string): string {
  const tokens =
    /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/|,(?=(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*[}\]])|-?\d[\d.eE+-]{14,}/gs
  return text.replace(/^\uFEFF/, '').replace(tokens, (token) => {
    if (token.startsWith('"')) return token
    return /^-?\d/.test(token) ? `"number ${token}"` : ''
  })
}
