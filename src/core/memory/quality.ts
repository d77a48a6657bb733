import { cap } from '../context/fence.ts'
import { keywordsOf } from '../goal/goal.ts'
import { redact } from '../redact/redact.ts'
import { isGenerated } from '../text/generated-files.ts'
import { words } from '../text/words.ts'
import { type Decision, isPath, type Memory } from './memory.ts'

/** What a memory must pass before it is kept: no secrets, no empty phrases, nothing that would waste a reader's window. */
export type QualityVerdict = { keep: true; memory: Memory } | { keep: false; why: string }

const LONGEST = { instruction: 2_000, goal: 300, line: 300, reason: 300, name: 100 }
const MOST = { lines: 16, decisions: 8, constraints: 8, files: 100, tags: 20 }

/** The memory as it may be kept, or why it is not worth keeping. */
export function checkQuality(raw: Memory): QualityVerdict {
  const memory = tidied(raw)
  const why = junk(memory)
  return why === undefined ? { keep: true, memory } : { keep: false, why }
}

/** Without secrets, empty phrases and excess; what is left is not judged. */
export function tidied(memory: Memory): Memory {
  const lines = (list: string[], most: number) =>
    distinct(
      list.map((line) => cap(flat(withoutHomes(redact(line))), LONGEST.line)),
      (line) => line,
    ).slice(0, most)
  const further = memory.reasoningTrace.filter((line) => line.startsWith(ASKED_FURTHER))
  const asked = new Set(keywordsOf([memory.goal, memory.instruction, ...further].join(' ')))
  // Redacted before anything is changed about them: a slash in the wrong place hides where a key begins.
  const paths = memory.files.map((file) => plainPath(redact(file)))
  const files = distinct(paths, (path) => path).filter((path) => isPath(path) && !OUTSIDE.test(path))
  const constraints = lines(memory.constraints, MOST.constraints)
  return {
    ...withoutOddLinks(memory),
    ...(memory.user !== undefined && { user: cap(flat(redact(memory.user)), LONGEST.name) }),
    ...(memory.updatedBy !== undefined && { updatedBy: cap(flat(redact(memory.updatedBy)), LONGEST.name) }),
    ...(memory.branch !== undefined && { branch: redact(memory.branch) }),
    instruction: cap(withoutHomes(redact(memory.instruction)).trim(), LONGEST.instruction),
    goal: cap(flat(withoutHomes(redact(memory.goal))), LONGEST.goal),
    // What the agent's last words give as a limit stands there.
    reasoningTrace: lines(memory.reasoningTrace, 3 * MOST.lines)
      .filter((line) => !constraints.includes(line))
      .filter((line) => !isVague(line) || saysOf(line, asked) || isDeed(line))
      .slice(0, MOST.lines),
    decisions: distinct(
      memory.decisions.map(({ choice, reason }) => ({
        choice: cap(flat(withoutHomes(redact(choice))), LONGEST.line),
        reason: cap(flat(withoutHomes(redact(reason))), LONGEST.reason),
      })),
      ({ choice }: Decision) => choice,
    )
      .filter(({ choice }) => choice !== '')
      .slice(0, MOST.decisions),
    constraints,
    files: files.slice(0, MOST.files),
    tags: lines(memory.tags, MOST.tags),
  }
}

const LINKS = ['linkedCommit', 'parentId', 'sessionId', 'supersededBy'] as const

/** A link that holds a secret leads nowhere, and a masked one would not either. */
function withoutOddLinks(memory: Memory): Memory {
  const kept = { ...memory }
  for (const link of LINKS) if (kept[link] !== undefined && redact(kept[link]) !== kept[link]) delete kept[link]
  return kept
}

/** Why it is not worth keeping. */
function junk(memory: Memory): string | undefined {
  const { files, reasoningTrace, decisions, constraints, instruction, goal, trigger } = memory
  const said = decisions.length + constraints.length
  const isNamed = keywordsOf(`${goal} ${instruction}`).length > 0
  if (!isNamed && said === 0 && reasoningTrace.length < 3) return 'its goal names nothing'
  if (said === 0 && reasoningTrace.length === 0 && files.length === 0) return 'nothing was changed or decided'
  if (files.length > 0 && files.every(isGenerated) && said === 0) return 'only generated files changed'
  if (EMPTY_TITLE.test(goal.trim()) && said === 0) return 'its title says nothing'
  if (isTrivial(goal) && said === 0 && files.length <= 2 && words(instruction).length < 40) return 'a trivial edit'
  if (trigger === 'abandoned' && files.length === 0 && said === 0) return 'given up before anything was done'
  return undefined
}

/** Absolute paths, homes and whatever lies above the project mean nothing on another machine. */
const OUTSIDE = /^(\/|~|\.\.(\/|$)|[A-Za-z]:[\\/])/
const EMPTY_TITLE =
  /^(wip|fix(es|ed)?|update[sd]?|changes?|misc|tmp|temp|test(ing|s)?|stuff|cleanup|clean up|minor|typo|more|progress|save|commit|refactor(ed|ing)?|initial commit|init|\.+|x+|review( comments)?|address (pr |review )?(comments|feedback)|pr (comments|feedback))\.?$/i
const TRIVIAL = new RegExp(
  [
    String.raw`^(please )?(fix(es|ed)?|correct(s|ed)?|remove[sd]?|add(s|ed)?|update[sd]?|run|apply|chore|style|docs?|ignore|(re)?format(s|ted)?)?\W*`,
    String.raw`(\w+\W+){0,3}?`,
    '(',
    'typos?|misspell\\w*|spelling|grammar|whitespace|trailing (space|newline|comma)s?|indent(ation)?|',
    'lint(er|ing|s)?|prettier|gofmt|rustfmt|eslint|import order|unused imports?|sort\\w*( the)? imports|semicolons?|newlines?( at)?|copyright( year)?|license header',
    String.raw`)\b`,
    String.raw`|^(\w+ ){0,2}(re)?format(ting|ted)?\W*$|^(start|begin|bump|set|update)\b.*\bversion\b`,
  ].join(''),
  'i',
)

/** "Fix typo in README" is; "Fix typo-tolerant search ranking" only begins like it. */
function isTrivial(goal: string): boolean {
  if (!TRIVIAL.test(goal)) return false
  const named = keywordsOf(goal.replace(/(?<!\S)\S*[/.]\S+/g, ' ')).filter(
    (word) => !TRIVIAL.test(word) && !USUAL.test(word),
  )
  return named.length <= (SLIP.test(goal) ? 6 : 2)
}

/** A slip of the pen is one wherever it was, unless it is what the work is about. */
const SLIP = /\b(?:typos?|misspell\w*|spelling|grammar)\b(?!-| (?:suggest|check|correct|toler|rule)\w*)/i

const USUAL =
  /^(please|correct\w*|remov\w*|re?format\w*|format\w*|sort\w*|run\w*|apply|appl\w+|ignor\w+|chore|style|docs?|documentation|readme|comments?|messages?|errors?|warnings?|issues?|tests?|names?|types?|text|strings?|trailing|unused|missing|end|header|year|various|minor|small|some|several)$/i

/** Phrases that would fit any work: nothing specific in them, and no reason given. */
function isVague(line: string): boolean {
  if (words(line).length < 2) return true
  if (SPECIFIC.test(line) || GIVES_REASON.test(line)) return false
  return words(line).length < 12
}

/** A line that begins so tells what the user asked for later in the same work. */
export const ASKED_FURTHER = 'Then asked for: '

/** What was done to a file without a folder or an ending: "Wrote Jenkinsfile". */
function isDeed(line: string): boolean {
  return /^(?:Changed|Wrote|Removed) [\w-]+$/.test(line)
}

/** A plain sentence about what was asked for is how it came out: "Photos keep their ratio." */
function saysOf(line: string, asked: ReadonlySet<string>): boolean {
  return words(line).length > 1 && keywordsOf(line).some((word) => asked.has(word))
}

const SPECIFIC = /[`/]|\w\.\w|\w_\w|[a-z][A-Z]|\d|\(\)|"[^"]+"/
const GIVES_REASON = new RegExp(
  [
    String.raw`\b(because|since|instead|so that|otherwise|unless|must|never|always|only|requires?|breaks?|broke|fail(?:s|ed|ing)?|caused?|due to|turned out|rather than)\b`,
    String.raw`\b(weil|denn|statt|damit|sonst|muss|darf|nie|immer|nur|wegen)\b`,
    String.raw`\b(parce que|car|sinon|doit|jamais|toujours|afin|au lieu|porque|ya que|debe|nunca|siempre|solo|invece|deve|sempre|devido)\b`,
    'perché|потому|чтобы|вместо|нельзя|должен|因为|由于|必须|不能|所以|否则|ため|ので|から|なければ|때문|해야',
  ].join('|'),
  'i',
)

const IN_A_HOME =
  /(?<![\w.~-])(?:\/(?:home|Users)\/[^\s/'"`“”]+|\/root(?![\w-])|[A-Z]:\\Users\\[^\s\\]+|~(?=[\\/]))(?:[\\/][^\s'"`“”,;:()\\/]+)*[\\/]?/g

/** A path in a home folder means nothing on another machine and names its user: only the last part stays. */
function withoutHomes(text: string): string {
  if (!/[/\\]/.test(text)) return text
  return text.replace(IN_A_HOME, (path) => {
    const names = path.split(/[\\/]/).filter(Boolean)
    const isHomeItself = /^(?:\/(?:home|Users)\/[^/]+|\/root|~|[A-Z]:\\Users\\[^\\]+)[\\/]?$/.test(path)
    return isHomeItself ? 'the home folder' : (names.at(-1) ?? '')
  })
}

function plainPath(path: string): string {
  return path.trim().replaceAll('\\', '/').replace(/^\.\//, '')
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The first of each, told apart by its words alone. */
function distinct<T>(items: T[], textOf: (item: T) => string): T[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = textOf(item)
      .toLowerCase()
      .replace(/[\s.!]+/g, ' ')
      .trim()
    if (key === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}
