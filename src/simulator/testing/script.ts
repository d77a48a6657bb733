import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { z } from 'zod'
import { type Scenario, ScenarioFile } from '../schema.ts'

/** Reads a scenario; an error names the file, the line and the key. */
export function parseScenario(text: string, name: string): Scenario {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const broken = document.errors[0]
  if (broken) throw new ScenarioError(name, lines.linePos(broken.pos[0]).line, '', broken.message)

  const parsed = ScenarioFile.safeParse(document.toJS() ?? {})
  if (parsed.success) return { name, ...parsed.data }

  const issue = deepest(parsed.error.issues[0]!)
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path
  const node = locate(document.contents, path)
  const line = node?.range ? lines.linePos(node.range[0]).line : 1
  throw new ScenarioError(name, line, keyName(path), explain(issue))
}

/** Takes the path of a YAML file, or the name of one in `scenarios/`. */
export function loadScenario(nameOrPath: string): Scenario {
  if (/[\\/]|\.ya?ml$/.test(nameOrPath)) return parseScenario(readFileSync(nameOrPath, 'utf8'), basename(nameOrPath))
  const folder = join(import.meta.dirname, 'scenarios')
  const known = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'))
  if (!known.includes(nameOrPath)) {
    throw new Error(
      `There is no scenario "${nameOrPath}". Known: ${known.sort().join(', ')}; or give a path to a file.`,
    )
  }
  return parseScenario(readFileSync(join(folder, `${nameOrPath}.yaml`), 'utf8'), `${nameOrPath}.yaml`)
}

class ScenarioError extends Error {
  constructor(file: string, line: number, key: string, what: string) {
    super(`${file}:${line}: ${key ? `${key}: ` : ''}${what}`)
    this.name = 'ScenarioError'
  }
}

type Issue = z.core.$ZodIssue

/** A union reports every branch that failed; the one that came furthest is what the author meant. */
function deepest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().sort((a, b) => b.path.length - a.path.length)[0]
  if (!inner || inner.path.length === 0) return issue
  return deepest({ ...inner, path: [...issue.path, ...inner.path] })
}

function explain(issue: Issue): string {
  if (issue.code === 'unrecognized_keys') return 'unknown key'
  if (issue.code === 'invalid_union') {
    const wanted = issue.errors.flat().map((inner) => inner.message.replace(/^Invalid input: /, ''))
    return [...new Set(wanted)].join(', or ')
  }
  return issue.message.replace(/^Invalid input: /, '')
}

/** The node the path leads to, or the nearest one above it when the path ends in something missing. */
function locate(node: unknown, path: PropertyKey[]): Node | undefined {
  const [key, ...rest] = path
  if (isMap(node) && key !== undefined) {
    const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key)
    // A single tool_use is read as a list of one, so its path has an index that the file has not.
    if (!pair && key === 0) return locate(node, rest)
    if (!pair) return node
    return rest.length > 0 ? locate(pair.value, rest) : (pair.key as Node)
  }
  if (isSeq(node) && typeof key === 'number') return locate(node.items[key], rest) ?? node
  return (node as Node | null) ?? undefined
}

function keyName(path: PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
}
