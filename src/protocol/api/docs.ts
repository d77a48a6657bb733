import { z } from 'zod'
import { FeatureSign, GuardEvent, LiveEvent, LiveMessage, LiveQuery } from '../live.ts'
import { REFUSALS } from '../refusal.ts'
import { WorkflowEvent } from '../workflow/events.ts'
import { hookRoutes } from './hooks.ts'
import { Refusal } from './refusal.ts'
import type { Route } from './route.ts'
import { api } from './routes.ts'

/** The page docs/api.md, from the schemas. */
export function apiDocs(): string {
  const types = new Map<string, Json>()
  const nouns = Object.entries<Record<string, Route>>({ ...api, hooks: hookRoutes })
  const overview = nouns.flatMap(([, routes]) => Object.values(routes).map(overviewRow))
  const parts = [
    INTRODUCTION,
    table(['route', 'what it does'], overview),
    refusalDocs(types),
    ...nouns.map(([noun, routes]) =>
      [`## ${noun}`, ...Object.values(routes).map((route) => routeDocs(route, types))].join('\n\n'),
    ),
    liveDocs(types),
  ]
  return `${[...parts, typeDocs(types)].join('\n\n')}\n`
}

function overviewRow({ method, path, summary }: Route): string[] {
  return [`\`${method} ${path}\``, summary]
}

const INTRODUCTION = `# The HTTP API

<!-- Written by \`node scripts/api-docs.mjs\` from src/protocol/api; changes here are lost. -->

Served on \`PORT\` (3333). Requests and answers are JSON; fields are camelCase; times are milliseconds since 1970. A field
with \`?\` may be absent.

Every route but \`GET /health\` needs a secret of the home folder: tools send its token (\`Authorization: Bearer …\`, the file
\`token\`), a browser has the cookie that it got from the link of \`grove up\` or \`grove open\`. Http
hooks have a key of their own, which opens nothing else.

Routes that are only for people refuse every program that an agent has started. The page sends its key besides
(\`x-grove-page\`, from its \`<meta name="grove-page">\`) and the word that a person's click is worth (\`x-grove-gesture\`, from
\`POST /api/gestures\`); a program with the token needs neither, where the system tells which process it is.`

function refusalDocs(types: Map<string, Json>): string {
  schemaOf(Refusal, 'output', types)
  return [
    '## Refusals',
    `What cannot be done is answered with a ${reference('Refusal')}: what is wrong, and what would be right. Every route may also answer with \`bad_request\`, \`internal_error\` or a refusal of the visitor.`,
    table(
      ['code', 'status', 'meaning'],
      Object.entries(REFUSALS).map(([code, { http, means }]) => [`\`${code}\``, String(http), means]),
    ),
  ].join('\n\n')
}

function routeDocs(route: Route, types: Map<string, Json>): string {
  const { method, path, summary, params, query, body, answer, status, person, invalid, refusals = [] } = route
  const codes = [
    ...(person ? ['only_people', 'gesture_required'] : []),
    ...(invalid ? [invalid.code] : []),
    ...refusals,
  ]
  return [
    `### ${method} ${path}`,
    [summary, ...needsOf(route)].join(' '),
    ...part('Path', params, 'input', types),
    ...part('Query', query, 'input', types),
    ...part('Body', body, 'input', types),
    ...part(status ? `Answer, with status ${status}` : 'Answer', answer, 'output', types),
    ...(codes.length > 0 ? [`Refusals: ${codes.map((code) => `\`${code}\``).join(', ')}`] : []),
  ].join('\n\n')
}

/** Who may ask. */
function needsOf({ path, person }: Route): string[] {
  if (path === '/health') return []
  if (path.startsWith('/hooks/')) return ['Needs the key of hooks or the token; without, nothing is noted.']
  return [person ? 'Only for people.' : 'Needs the cookie or the token.']
}

function part(
  title: string,
  schema: z.ZodType | undefined,
  io: 'input' | 'output',
  types: Map<string, Json>,
): string[] {
  if (!schema) return []
  const json = schemaOf(schema, io, types)
  const [object] = (json.anyOf ?? [json]).filter(({ type }) => type !== 'null')
  if (!object?.properties || Object.keys(object.properties).length === 0) {
    return [`${title}: ${[typeText(json), json.description].filter(Boolean).join(', ')}`]
  }
  const about = [json.anyOf && 'may be left out', json.description].filter(Boolean).join('; ')
  return [`${title}${about ? ` (${about})` : ''}:`, fieldTable(object)]
}

function liveDocs(types: Map<string, Json>): string {
  schemaOf(LiveMessage, 'output', types)
  const toldBy = new Map<string, string>([
    ...GuardEvent.options.map(({ shape }) => [shape.type.value, 'guard'] as const),
    ...[...WorkflowEvent.options, ...FeatureSign.options].map(({ shape }) => [shape.type.value, 'workflow'] as const),
  ])
  const events = LiveEvent.options.map((option) => {
    const { properties = {}, description = '' } = schemaOf(option, 'output', types)
    const { type: _, ...fields } = properties
    const name = option.shape.type.value
    const text = Object.entries(fields).map(([field, json]) => `\`${field}\`: ${typeText(json)}`)
    return [`\`${name}\``, description, text.join(', '), toldBy.get(name) ?? 'supervisor']
  })
  return [
    '## Live events',
    '`GET /ws` opens a websocket. Each message is one event in an envelope, `{"seq": 7, "at": 1700000000000, "event": {…}}`; after an absence the client asks for what came after the last `seq` it has seen. `{"type": "gap"}` says that some of it is no longer kept, and that the state should be read anew.',
    ...part('Query', LiveQuery, 'input', types),
    table(['type', 'what happened', 'fields', 'told by'], events),
  ].join('\n\n')
}

function typeDocs(types: Map<string, Json>): string {
  const sections = [...types]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, json]) =>
      [`### ${name}`, ...(json.description ? [json.description] : []), fieldTable(json)].join('\n\n'),
    )
  return ['## Types', ...sections].join('\n\n')
}

/** The few words of JSON Schema that our schemas use. */
interface Json {
  type?: string | string[]
  description?: string
  properties?: Record<string, Json>
  required?: string[]
  items?: Json
  anyOf?: Json[]
  oneOf?: Json[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  $ref?: string
  $defs?: Record<string, Json>
}

/** A schema as JSON Schema; the types in it that have a name are put with the others. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', types: Map<string, Json>): Json {
  const { $defs = {}, ...json } = z.toJSONSchema(schema, { io }) as Json
  for (const [name, type] of Object.entries($defs)) types.set(name, type)
  return json
}

/** One row for each field; fields of fields stand below theirs, with dots and brackets in between. */
function fieldTable(json: Json): string {
  return table(['field', 'type', 'meaning'], fieldRows(json, ''))
}

function fieldRows({ properties = {}, required = [] }: Json, before: string): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${before}${name}`
    const inner = field.type === 'array' ? field.items : field
    const rows = inner?.properties ? fieldRows(inner, `${path}${field.type === 'array' ? '[]' : ''}.`) : []
    return [[`\`${path}${required.includes(name) ? '' : '?'}\``, typeText(field), meaning(field)], ...rows]
  })
}

function meaning({ description = '', default: usual }: Json): string {
  const isTold = usual !== undefined && typeof usual !== 'object'
  return [description, ...(isTold ? [`\`${usual}\` if left out`] : [])].filter(Boolean).join('; ')
}

function typeText({ type, items, anyOf, oneOf, enum: choices, const: only, $ref }: Json): string {
  if ($ref) return reference($ref.slice($ref.lastIndexOf('/') + 1))
  const several = anyOf ?? oneOf
  if (several) return several.map(typeText).join(' or ')
  if (choices) return choices.length > MANY ? 'string' : choices.map((choice) => `\`${choice}\``).join(' or ')
  if (only !== undefined) return `\`${only}\``
  if (type === 'array') return `list of ${items ? typeText(items) : 'anything'}`
  return type === undefined ? 'anything' : [type].flat().join(' or ')
}

/** So many choices have a table of their own. */
const MANY = 12

function reference(name: string): string {
  return `[${name}](#${name.toLowerCase()})`
}

function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
