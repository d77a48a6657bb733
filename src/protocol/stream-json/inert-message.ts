/**
 * Makes a message that is only words. The client reads the last block of a message: one that begins with `/` is a command
 * (`/clear` ends the conversation), and `@path` is replaced by the file, inside the project or not. Earlier blocks it takes as
 * they are, so texts of others go first and nothing in them has to be escaped.
 */
export function inertMessage(parts: readonly string[], text: string): { type: 'text'; text: string }[] {
  const ours = isInert(text) ? [text] : [text, CLOSING]
  // An empty block is refused by the API.
  return [...parts, ...ours].filter((block) => block.trim() !== '').map((block) => ({ type: 'text', text: block }))
}

const CLOSING = '(end of message)'

function isInert(text: string): boolean {
  return text.trim() !== '' && !text.includes('@') && !/^\s*[/!#]/.test(text)
}

/** The client's own command, with our words behind it; they cannot pull in a file. */
export function compactCommand(keep: string): string {
  return `/compact ${keep.replace(/\s+/g, ' ').replaceAll('@', '(at)')}`.trim()
}
