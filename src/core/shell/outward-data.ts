import type { Value } from './values.ts'

/** SQL, and what other databases call it, that changes what is kept. */
const CHANGES_DATA =
  /(?:^|[;(])\s*(?:explain\s+analyze\s+)?(?:insert|update|delete|drop|alter|truncate|create|grant|revoke|replace\s+into|merge|vacuum|reindex|call|do|copy|load|flushall|flushdb)\b|\bwith\b[^;]*\b(?:insert|update|delete)\b|\.(?:drop|delete|insert|update|remove|replace|create|rename|bulkWrite|save)\w*\s*\(/i

/** SQL without its texts and comments. */
function statementsOf(text: string): string {
  return text.slice(0, 20_000).replace(/'[^']*'|--[^\n]*|\/\*[^*]*\*\//g, "''")
}

/** A statement that changes data, or a script whose content is unknown. */
export function databaseChanges(texts: string[], redirects: Value[]): boolean {
  if (redirects.some(({ text }) => /\.(?:sql|js|dump|gz)$/.test(text))) return true
  return texts.some(
    (text, at) =>
      (/^(?:-f|--file)$/.test(texts[at - 1] ?? '') || CHANGES_DATA.test(statementsOf(text))) && !/^--?\w+$/.test(text),
  )
}
