/** Texts of agents, repositories and terminals as what they are: nothing in them hides, turns or colours other letters. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const ESCAPES = /\u001b(?:\[[0-9;:?<=>]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
/** Turn the order of letters, or take no room. A joiner between the parts of an emoji is left. */
const HIDDEN =
  /[\u061c\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d/gu

/** What a terminal shows of a text, without its colours. */
export function withoutEscapes(text: string): string {
  return text.includes('\u001b') || text.includes('\r') ? text.replace(ESCAPES, '').replace(/\r+\n?/g, '\n') : text
}

/** A command, a path or code as it will be used: what could not be seen is named. */
export function plainly(text: string): string {
  return withoutEscapes(text).replace(CONTROLS, named).replace(HIDDEN, named)
}

function named(letter: string): string {
  return `‹U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`
}
