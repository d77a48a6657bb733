import { parse as parseToml } from 'smol-toml'
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml'
import { canonical } from '#core/trace/mutation/data.ts'

/** One line for YAML or TOML; equal lines mean equal data. Undefined for text that is neither. */
export function canonicalData(language: 'yaml' | 'toml', text: string): string | undefined {
  return language === 'yaml' ? canonicalYaml(text) : canonicalToml(text)
}

function canonicalYaml(text: string): string | undefined {
  const documents = parseAllDocuments(text, { keepSourceTokens: false })
  if (!Array.isArray(documents) || documents.some((document) => document.errors.length > 0)) return undefined
  return documents.map((document) => line(document.contents)).join('\n---\n')
}

/** Aliases and tags stay as they are written: resolving them could make a small file very large. */
function line(node: unknown): string {
  if (isAlias(node)) return `*${node.source}`
  const marks = hasMarks(node) ? `${node.anchor ? `&${node.anchor} ` : ''}${node.tag ? `${node.tag} ` : ''}` : ''
  if (isMap(node))
    return `${marks}{${node.items
      .map(({ key, value }) => `${line(key)}:${line(value)}`)
      .sort()
      .join(',')}}`
  if (isSeq(node)) return `${marks}[${node.items.map(line).join(',')}]`
  if (isScalar(node)) return `${marks}${typeof node.value === 'number' ? node.source : canonical(node.value)}`
  return 'null'
}

function hasMarks(node: unknown): node is { anchor?: string; tag?: string } {
  return isMap(node) || isSeq(node) || isScalar(node)
}

function canonicalToml(text: string): string | undefined {
  try {
    return canonical(parseToml(text, { integersAsBigInt: true }))
  } catch {
    // Not TOML: the caller compares it as text.
    return undefined
  }
}
