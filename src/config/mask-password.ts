/** Hides the password of every URL in a text. */
export function maskPassword(text: string): string {
  return text.replace(/(:\/\/[^:@/\s]*):\S*@/g, '$1:***@')
}
