/** A word as a shell reads it: quoted only where it has to be, so that a person can type it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word)
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
