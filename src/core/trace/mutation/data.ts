/** One line for JSON, with or without comments and trailing commas: equal lines mean equal data, whatever the order of keys. */
export function canonicalJson(text: string): string | undefined {
  try {
    return canonical(JSON.parse(plainJson(text)), HAVE_AN_ORDER)
  } catch {
    // Not JSON after all: the caller compares it as text.
    return undefined
  }
}

/** Conditions of a package: the first that fits is taken. */
const HAVE_AN_ORDER: ReadonlySet<string> = new Set(['exports', 'imports'])

/** One line for any data; keys are sorted, so that their order does not matter, but for what lies at the `ordered` ones. */
export function canonical(value: unknown, ordered: ReadonlySet<string> = new Set(), isOrdered = false): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, new Set(), isOrdered)).join(',')}]`
  if (typeof value === 'bigint') return `${value}`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'undefined'
  const entries = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}:${canonical(each, new Set(), isOrdered || ordered.has(key))}`,
  )
  return `{${(isOrdered ? entries : entries.sort()).join(',')}}`
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
