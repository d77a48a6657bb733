/**
 * The shape of a request without the words of the client's vendor: keys, roles, block types, tool names, cache markers and
 * the few wordings that Grove knows the client by. What a story said itself stands in «guillemets» and stays.
 */

type Json = unknown

/** Strings under these keys are names, not prose. */
const NAMES = new Set([
  'type',
  'role',
  'name',
  'model',
  'id',
  'tool_use_id',
  'tool_name',
  'display',
  'effort',
  'ttl',
  'media_type',
  'stop_reason',
  'permission_mode',
  'scope',
])

/** What Grove recognises the client's own texts by, and the words of the stories. */
const KEPT =
  /«[^»]*»|<\/?(?:system-reminder|command-name|command-message|command-args|local-command-\w+|task-notification|tools-used-before-summary|persisted-output|analysis|summary)>|\bx-anthropic-billing-header:[^\n]*|\b(?:Primary w|W)orking directory: [^\n]*|\bTool loaded\.|\[SUGGESTION MODE|\[SYSTEM NOTIFICATION - NOT USER INPUT\]|\[structured-output-|Stop hook feedback:|The user sent a new message while you were working:|This session is being continued from a previous conversation|\[Request interrupted by user(?: for tool use)?\]|Caveat: The messages below were|\n\n(?:IMPORTANT:|This is how Claude Code )/g

export interface Places {
  project: string
  home: string
}

/** A request's body with every foreign word gone. */
export function sanitise(value: Json, places: Places, key = ''): Json {
  if (typeof value === 'string') return NAMES.has(key) ? value : maskText(value, places)
  if (Array.isArray(value)) return value.map((item) => sanitise(item, places, key))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as Record<string, Json>)
  // A tool is known by its name; what it says of itself is the vendor's text.
  if ('input_schema' in (value as object)) {
    return Object.fromEntries(
      entries.flatMap(([name, part]) => (isProse(name) ? [] : [[name, sanitise(part, places, name)]])),
    )
  }
  return Object.fromEntries(
    entries.map(([name, part]) => {
      if (name === 'metadata') return [name, {}]
      if (name === 'schema') return [name, { properties: namesIn(part) }]
      if (name === 'signature') return [name, 'c2lnbmVk']
      return [name, sanitise(part, places, name)]
    }),
  )
}

function isProse(name: string): boolean {
  return ['description', 'input_schema', 'input_examples'].includes(name)
}

function namesIn(schema: Json): Record<string, object> {
  const { properties = {} } = schema as { properties?: Record<string, object> }
  return Object.fromEntries(Object.keys(properties).map((name) => [name, {}]))
}

/** Line breaks between kept words stay, since some wordings are known by standing at the start of a line. */
function maskText(text: string, { project, home }: Places): string {
  const plain = text.replaceAll(project, '/project').replaceAll(home, '/home/user')
  let kept = ''
  let at = 0
  for (const match of plain.matchAll(KEPT)) {
    kept += maskBetween(plain.slice(at, match.index))
    kept += match[0].replace(/\bcch=\w+/, 'cch=0').replace(/\bcc_version=[\w.]+/, 'cc_version=0')
    at = match.index + match[0].length
  }
  return kept + maskBetween(plain.slice(at))
}

function maskBetween(text: string): string {
  if (text.trim() === '') return text.includes('\n') ? '\n' : text === '' ? '' : ' '
  const start = /^\s*\n/.test(text) ? '\n' : ''
  const end = /\n\s*-? *$/.test(text) ? (/\n( *- *)$/.exec(text)?.[0] ?? '\n') : ''
  return `${start}…${end}`
}
