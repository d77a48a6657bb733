import { redact } from '../redact/redact.ts'

/**
 * The user's own words. A user message carries much more: reminders, command output, notices of background tasks,
 * tool results, pasted logs. A goal must not be made of those.
 */

/** What the client wraps in tags: not the user's words, or read apart from them. */
const TAGS = [
  'system-reminder',
  'command-name',
  'command-message',
  'command-args',
  'local-command-stdout',
  'local-command-caveat',
  'local-command-stderr',
  'bash-input',
  'bash-stdout',
  'bash-stderr',
  'user-memory-input',
  'user-prompt-submit-hook',
  'task-notification',
  'teammate-message',
  'fork-boilerplate',
  'persisted-output',
  'new-diagnostics',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
]

/** Openings of messages the client writes in the user's name. */
const SYNTHETIC = /^(Stop hook feedback:|\[SYSTEM NOTIFICATION|\[structured-output-|Caveat: The messages below were)/
/** What the client says beside a tool's result when a tool search has loaded a tool; ids may follow, one a line. */
const TOOL_LOADED = /^Tool loaded\.(?:\n\[id:[^\]\n]+\])*\s*$/
const INTERRUPTED = /\[Request interrupted by user(?: for tool use)?\]/
const PLACEHOLDER = /\[(?:Image|Pasted text|Truncated text)[ :#][^\]\n]{0,200}\]/g

/** Enough for any instruction; what is longer is pasted material, and its middle matters least. */
const MAX_HEAD = 2000
const MAX_TAIL = 500
/** A private key. */
const LONGEST_SECRET = 4000

/** The user's own words in a message's content (a string or blocks), without secrets; undefined when it holds none. */
export function realInstruction(content: unknown): string | undefined {
  const texts = textsOf(content)
  const [only = ''] = texts
  const said = texts.length === 1 && isTyped(only) ? only.trim() : spoken(texts).join('\n').trim()
  if (said === '') return undefined
  return shortened(redact(ends(said.includes('\n') ? withoutLogs(ends(said, MOST_READ)) : said)))
}

/** What a user sent while the agent worked, where newer clients hand it on as a system message. */
export function interjected(content: unknown): string | undefined {
  const said = textsOf(content).flatMap((text) => interjection(text) || [])
  return said.length > 0 ? shortened(redact(ends(said.join('\n')))) : undefined
}

/** One plain line, as most prompts are: whatever the client wraps, adds or writes itself has tags, brackets or more lines. */
function isTyped(text: string): boolean {
  return !/[<[\n]/.test(text) && !isSynthetic(text)
}

function isSynthetic(text: string): boolean {
  const start = text.trimStart()
  return SYNTHETIC.test(start) || TOOL_LOADED.test(start) || isCompactSummary(text)
}

/** Whether a text holds what the client writes in a user message, reminders aside: a notice, a teammate's words, an output. */
export function isClientsOwn(text: string): boolean {
  return isSynthetic(text) || TAGS.some((tag) => tag !== 'system-reminder' && text.includes(`<${tag}`))
}

/** True for a summary the client puts in place of a conversation it compacted. */
export function isCompactSummary(text: string): boolean {
  return /^\s*This session is being continued from a previous conversation\b/.test(text)
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((block) => (block?.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
}

/** What was said in these texts, in order. Words before an interruption do not count once there are words after it. */
function spoken(texts: string[]): string[] {
  let said: string[] = []
  let before: string[] = []
  let inCommand = false
  const say = (words: string) => {
    if (words !== '') said.push(words)
  }
  for (const [index, text] of texts.entries()) {
    if (isAnswered(texts[index + 1])) continue
    say(interjection(text) ?? '')
    const command = commandLine(text)
    say(command ?? '')
    inCommand ||= command !== undefined
    for (const [part, words] of ownWords(text).split(INTERRUPTED).entries()) {
      if (part > 0) {
        before = said.length > 0 ? said : before
        said = []
        inCommand = false
      }
      // What follows a custom command is its expansion, which the command's author wrote.
      if (!inCommand) say(words.trim())
    }
  }
  return said.length > 0 ? said : before
}

/** A local command such as `/model` is answered by the client itself, in the next text, also when it fails. */
function isAnswered(next: string | undefined): boolean {
  return /^\s*<local-command-std(?:out|err)>/.test(next ?? '')
}

/** `/fix-issue 123`, as the user typed it. */
function commandLine(text: string): string | undefined {
  const name = between(text, '<command-name>', '</command-name>')
  if (name === undefined) return undefined
  const args = between(text, '<command-args>', '</command-args>') ?? ''
  return `/${name.trim().replace(/^\//, '')} ${args.trim()}`.trim()
}

/** A message sent while the agent worked reaches it inside a reminder. */
function interjection(text: string): string | undefined {
  const opening = 'The user sent a new message while you were working:\n'
  const start = text.indexOf(opening)
  if (start < 0 || !/^\s*(<system-reminder>\s*)?$/.test(text.slice(0, start))) return undefined
  return text
    .slice(start + opening.length)
    .split(/\n\n(?:IMPORTANT:|This is how Claude Code )|\n?<\/system-reminder>/)[0]!
    .trim()
}

function ownWords(text: string): string {
  if (isSynthetic(text) || interjection(text) !== undefined) return ''
  const bare = text.includes('<') ? TAGS.reduce(withoutTag, text) : text
  return bare.replace(PLACEHOLDER, '').trim()
}

/** By searching, not by a regular expression, so that a thousand openings without an end cost one look each. */
function withoutTag(text: string, tag: string): string {
  let result = ''
  let at = 0
  for (let open = text.indexOf(`<${tag}`); open >= 0; open = text.indexOf(`<${tag}`, Math.max(at, open + 1))) {
    if (!/[\s>]/.test(text[open + tag.length + 1] ?? '')) continue
    const close = text.indexOf(`</${tag}>`, open)
    if (close < 0) break
    result += text.slice(at, open)
    at = close + tag.length + 3
  }
  return result + text.slice(at)
}

function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open)
  const end = start < 0 ? -1 : text.indexOf(close, start)
  return end < 0 ? undefined : text.slice(start + open.length, end)
}

/** Lines a program wrote: traces, timestamps, levels, prompts of build tools. */
const LOG_LINE = new RegExp(
  [
    String.raw`^\s+at .+[:(]`,
    String.raw`^\s*File "[^"]+", line \d+`,
    String.raw`^(Traceback |Caused by: |goroutine \d+|panic: |thread '[^']*' panicked)`,
    String.raw`^\s*\.{3} \d+ more\b`,
    String.raw`^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d`,
    String.raw`^\[?\d\d:\d\d:\d\d`,
    String.raw`^(npm (ERR!|error|warn)|yarn error|error TS\d+|error\[E\d+\])`,
    String.raw`^\s*\[?(DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE)\b[\]:|\s]`,
    String.raw`^\s*\d+ \| |^\s+\^+\s*$|^\s*-->\s`,
    String.raw`^\S+:\d+(:\d+)?:? `,
    String.raw`^\s+0x[0-9a-f]{6,}\b`,
  ].join('|'),
)
const SHORTEST_LOG = 4
const LONGEST_FENCE = 12
/** So much is looked at line by line; millions of lines would keep everybody waiting. */
const MOST_READ = 500_000

/** Pasted logs and long code blocks shrink to their first line: it names the trouble, the rest repeats it. */
function withoutLogs(text: string): string {
  const kept: string[] = []
  for (const part of parts(text.split('\n'))) {
    const limit =
      part.kind === 'fence' ? LONGEST_FENCE : part.kind === 'log' ? SHORTEST_LOG - 1 : Number.POSITIVE_INFINITY
    if (part.lines.length <= limit) kept.push(part.lines.join('\n'))
    else {
      const first = part.lines.findIndex((line) => line.trim() !== '' && !line.startsWith('```'))
      kept.push(part.lines[first]!.trim(), `[${part.lines.length - 1} more lines]`)
    }
  }
  return kept.join('\n')
}

interface Part {
  kind: 'words' | 'log' | 'fence'
  lines: string[]
}

function parts(lines: string[]): Part[] {
  const found: Part[] = []
  let inFence = false
  for (const line of lines) {
    const last = found.at(-1)
    const isFence = line.trimStart().startsWith('```')
    const kind = inFence || isFence ? 'fence' : LOG_LINE.test(line.slice(0, 300)) ? 'log' : 'words'
    // Between two lines of a trace, blank and indented lines belong to the trace.
    const isWithinLog = kind === 'words' && last?.kind === 'log' && /^(\s|$)/.test(line)
    if (last && (last.kind === kind || isWithinLog) && !(isFence && !inFence)) last.lines.push(line)
    else found.push({ kind, lines: [line] })
    if (isFence) inFence = !inFence
  }
  return found
}

/** Enough of both ends that a secret is seen as a whole before they are shortened, and never all of what was pasted. */
function ends(text: string, most = 4 * LONGEST_SECRET): string {
  return text.length <= most ? text : `${text.slice(0, most / 2)}\n${text.slice(-most / 2)}`
}

function shortened(text: string): string {
  if (text.length <= MAX_HEAD + MAX_TAIL) return text.trim()
  return `${text.slice(0, MAX_HEAD).trimEnd()}\n[…]\n${text.slice(-MAX_TAIL).trimStart()}`.trim()
}

/** Words that agree, refuse, choose or urge on, and name no work of their own. */
const SIMPLE_WORDS = new Set(
  `yes yeah yep yup ya y no nope nah n ok okay k kk sure fine right correct exactly true good great nice cool perfect awesome
  excellent lgtm looks look sounds sound works work thanks thank thx ty you please pls go going ahead on for it that this them
  those these all both do did does done continue proceed resume keep carry next again retry try once more now then and
  just also so well approve approved accept accepted confirm confirmed agree agreed ship option choice number first second third
  one two three a b c d the of to me i im its thats is was are be let lets us we will up with as wait stop hold cancel never mind
  hi hello hey from where left off finish
  продолжай продолжи продолжайте дальше давай далее mach fortfahren continúa sigue continuez poursuis vai avanti prosegui ga door verder dalej
  kontynuuj 接着 继续吧 続けてください 계속 계속해
  ja nein weiter oui non si sí vale claro dale continua hai да нет 是 好 好的 继续 はい 続けて`.split(/\s+/),
)
const MAX_SIMPLE_WORDS = 10

/** True for a prompt that only moves the work along: "yes", "go on", "2", "ok do it", "lgtm". */
export function isSimplePrompt(text: string): boolean {
  if (text.length > 200) return false
  const spokenWords =
    text
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return (
    spokenWords.length <= MAX_SIMPLE_WORDS &&
    spokenWords.every((word) => SIMPLE_WORDS.has(word) || /^\d{1,2}$/.test(word))
  )
}
