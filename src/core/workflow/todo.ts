export const TODO_CATEGORIES = ['security', 'performance', 'bug', 'feature', 'missing'] as const
export type TodoCategory = (typeof TODO_CATEGORIES)[number]

/** A comment block that an agent has left for people, as it is understood. */
export interface ReadTodo {
  type: 'todo' | 'fixme' | 'dependency'
  description: string
  impact: string
  category: TodoCategory
  priority: 'high' | 'medium' | 'low'
  options: { label: string; recommended: boolean }[]
}

/** Reads a block whose comment signs are gone: what is to be done, then `Impact:`, `Options:` and `Priority:`. */
export function readTodo(type: 'TODO' | 'FIXME' | 'DEPENDENCY', text: string): ReadTodo {
  const lines = text.split('\n').map((line) => line.trim())
  const described: string[] = []
  const fields: Record<'impact' | 'options' | 'priority', string> = { impact: '', options: '', priority: '' }
  let into: keyof typeof fields | null = null
  for (const line of lines) {
    const match = /^(impact|options|priority)\s*:(.*)$/i.exec(line)
    if (match) {
      into = match[1]!.toLowerCase() as keyof typeof fields
      fields[into] = match[2]!.trim()
    } else if (into) fields[into] = `${fields[into]} ${line}`.trim()
    else described.push(line)
  }
  const description = described
    .join(' ')
    .replace(/^(?:TODO|FIXME|DEPENDENCY)\s*:\s*/, '')
    .trim()
  return {
    type: type.toLowerCase() as ReadTodo['type'],
    description,
    impact: fields.impact,
    category: categoryOf(`${fields.impact} ${description}`, type),
    priority: priorityOf(fields.priority),
    options: optionsOf(fields.options),
  }
}

const WORDS: [TodoCategory, RegExp][] = [
  ['security', /\b(?:security|auth\w*|inject\w*|secret|token|csrf|xss|brute|permission|encrypt\w*)\b/i],
  ['performance', /\b(?:performance|slow|speed|cache|latency|memory|n\+1|index)\b/i],
  ['bug', /\b(?:bug|broken|wrong|crash\w*|race|leak|fails?|incorrect)\b/i],
  ['missing', /\b(?:missing|not implemented|stub|placeholder|lacks?)\b/i],
]

function categoryOf(text: string, type: string): TodoCategory {
  const found = WORDS.find(([, pattern]) => pattern.test(text))?.[0]
  return found ?? (type === 'FIXME' ? 'bug' : type === 'DEPENDENCY' ? 'missing' : 'feature')
}

function priorityOf(said: string): ReadTodo['priority'] {
  const word = said.toLowerCase().trim()
  return word.startsWith('high') ? 'high' : word.startsWith('low') ? 'low' : 'medium'
}

const RECOMMENDED = /(?:(?<!\s)\s+)?[[(]\s*recommended\s*[\])]\s*/i

function optionsOf(text: string): ReadTodo['options'] {
  const parts = text.split(/(?:(?<!\s)\s+)?\(([A-Z])\)\s*/)
  return parts
    .slice(1)
    .filter((_, index) => index % 2 === 1)
    .map((said) => ({ label: said.replace(RECOMMENDED, ' ').trim(), recommended: RECOMMENDED.test(said) }))
    .filter(({ label }) => label !== '')
}

/**
 * Whether a block asks for a decision. A note without substance, or one that says it was dealt with, does not; in doubt
 * it is shown.
 */
export function isRealConcern({ description }: Pick<ReadTodo, 'description'>): boolean {
  const words = description.split(/\s+/).filter((word) => /\p{L}/u.test(word))
  return words.length >= 2 && !/^(?:done|n\/a|none|nothing)\b/i.test(description)
}

/** The same block stays the same item while lines above it come and go. */
export function todoKey(block: { path: string; text: string }): string {
  const [first = ''] = block.text.split('\n')
  return `${block.path}\n${first
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()}`
}
