import { redact } from '../redact/redact.ts'
import { CATEGORIES, type Candidate, CONFIDENCES, CRITERIA, type Criterion, LENGTHS, SCOPES } from './learning.ts'

/** A candidate that was not kept, and why; only its summary is remembered. */
export interface Rejection {
  summary: string
  reasons: string[]
  stage: 'schema' | 'write-gate' | 'duplicate' | 'contradiction'
  /** It was meant for its author alone. */
  personal?: true
}

type Read = { candidate: Candidate } | { rejection: Rejection }

/** Layer 1: whether a candidate has the right shape. Everything that is wrong is named at once. */
export function readCandidate(raw: unknown): Read {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { rejection: { summary: '', reasons: ['a candidate must be a JSON object'], stage: 'schema' } }
  }
  const given = raw as Record<string, unknown>
  const summary = oneLine(text(given.summary))
  const detail = tidy(text(given.detail))
  const tags = [...new Set(strings(given.tags).map(tidyTag))].filter((tag) => tag !== '')
  const category = among(CATEGORIES, given.category)
  const criteriaMet = [...new Set(strings(given.criteria_met).flatMap((name) => among(CRITERIA, name) ?? []))]
  const reasons = [
    ...(category ? [] : [`category must be one of ${CATEGORIES.join(', ')}${found(given.category)}`]),
    ...lengthTrouble('summary', summary),
    ...lengthTrouble('detail', detail),
    ...(summary !== '' && same(summary, detail) ? ['detail must say more than the summary'] : []),
    ...tagTrouble(tags),
    ...criteriaTrouble(criteriaMet, given.criteria_met),
  ]
  const scope = among(SCOPES, given.scope) ?? 'project'
  if (reasons.length > 0 || !category) {
    const personal = scope === 'personal' && { personal: true as const }
    return { rejection: { summary: cut(summary), reasons, stage: 'schema', ...personal } }
  }
  // Redacted before it is cut: half a secret no longer looks like one.
  const ticketId = redact(oneLine(text(given.ticket_id))).slice(0, 100)
  const supersedes = /^[\w.:-]{1,100}$/.exec(text(given.supersedes).trim())?.[0]
  return {
    candidate: {
      category,
      summary,
      detail,
      scope,
      confidence: among(CONFIDENCES, given.confidence) ?? 'medium',
      criteriaMet,
      tags,
      contextFiles: [...new Set(strings(given.context_files).map(tidyPath))].filter(Boolean).slice(0, 20),
      ...(ticketId && { ticketId }),
      ...(supersedes && { supersedes }),
    },
  }
}

/** Characters of scripts in which one says as much as two letters. */
const DENSE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g

function lengthTrouble(name: 'summary' | 'detail', value: string): string[] {
  const { min, max } = LENGTHS[name]
  const length = [...value].length
  if (length + (value.match(DENSE)?.length ?? 0) >= min && length <= max) return []
  return [`${name} must have ${min} to ${max} characters, it has ${length}`]
}

function tagTrouble(tags: string[]): string[] {
  const { min, max } = LENGTHS.tags
  if (tags.length >= min && tags.length <= max) return []
  return [`tags must be a list of ${min} to ${max} words, it has ${tags.length}`]
}

function criteriaTrouble(known: Criterion[], given: unknown): string[] {
  if (known.length > 0) return []
  return [`criteria_met must name at least one of ${CRITERIA.join(', ')}${found(given)}`]
}

function among<const T extends string>(values: readonly T[], given: unknown): T | undefined {
  const name = text(given)
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  return values.find((value) => value === name)
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function found(value: unknown): string {
  if (value === undefined) return ''
  return `, found ${cut(JSON.stringify(value) ?? String(value))}`
}

function cut(value: string): string {
  return value.length > 200 ? `${value.slice(0, 199)}…` : value
}

function same(a: string, b: string): boolean {
  const plain = (value: string) =>
    value
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  return plain(a) === plain(b)
}

/** Everything that could steer a terminal or turn text around; tabs and line ends stay. */
const UNSEEN = /(?![\t\n])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu

function tidy(value: string): string {
  return value
    .replaceAll(/\r\n?/g, '\n')
    .replace(UNSEEN, '')
    .replaceAll(/(?<![ \t])[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function oneLine(value: string): string {
  return tidy(value).replaceAll(/\s+/g, ' ')
}

function tidyTag(tag: string): string {
  return oneLine(tag)
    .replace(/^#+/, '')
    .replaceAll(/[\s,]+/g, '-')
    .toLowerCase()
    .slice(0, 50)
}

/** Files are shown to others, so a path of this machine is of no use; it is kept as it is and matches by its end. */
function tidyPath(path: string): string {
  return oneLine(path).replaceAll('\\', '/').replace(/^\.\//, '').slice(0, 300)
}
