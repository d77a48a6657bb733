/**
 * What Grove hands to the model is data, not orders: memories and learnings were written by other agents and people, so
 * they are fenced, capped, and cannot imitate our own tags or the client's system markers.
 */

const CHARS_PER_TOKEN = 4

/** A fair guess that needs no tokenizer; budgets and displays use it, never a bill. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN)
}

const MARKERS =
  /<\s*(?:(\/)\s*)?(grove[\w-]*|system[\w-]*|intent_context|user[\w-]*|assistant|human|command-[\w-]+|local-command-[\w-]+|task-notification|persisted-output|function_calls|antml:[\w-]+|invoke|tool_use|tool_result)\b/gi
const TURN_MARKER = /^([^\S\n\r\u2028\u2029]*)(human|assistant|system|user)([^\S\n\r\u2028\u2029]*:)/gim
// Everything a terminal or a parser could take for structure, except tab and line feed.
const CONTROL = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu

const BEYOND_PLAIN = /[^\t\n -~]/

/** Text that stays readable and has lost every way of passing for a marker. */
export function neutralise(text: string): string {
  // Nearly every text is plain, and to find that out takes a fraction of the time.
  const visible = BEYOND_PLAIN.test(text) ? text.replace(CONTROL, '') : text
  const unmarked = visible.includes('<') ? visible.replace(MARKERS, '‹$1$2') : visible
  return unmarked.includes(':') ? unmarked.replace(TURN_MARKER, '$1$2 $3') : unmarked
}

/** Cuts at a word, says that it cut. */
export function cap(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = text.slice(0, Math.max(0, maxChars - 2))
  const atWord = cut.replace(/(?<!\s)\s+(?!\S*\s)\S*$/, '')
  return `${(atWord.length > maxChars / 2 ? atWord : cut).trimEnd()} …`
}

/** Neutralised text on one line, capped. */
export function oneLine(text: string, maxChars: number): string {
  return cap(neutralise(text).replace(/\s+/g, ' ').trim(), maxChars)
}

/** One fenced block. The tag is ours; its content has been neutralised by the caller. */
export function fence(tag: string, note: string, body: string): string {
  return `<${tag}>\n${note}\n${body}\n</${tag}>`
}
