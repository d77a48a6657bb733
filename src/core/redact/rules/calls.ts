import { MORE, nameOf, standsAlone, strengthOf, tellingPlaces, withPasswords } from '../names.ts'
import { matchesAt } from '../openings.ts'
import { isSecretValue } from '../values.ts'
import { KIND, QUOTE, quotedValue } from './assignments.ts'
import { handedToPrograms } from './programs.ts'

/** Secrets that are known by the call, the statement or the command they are handed to. */

const GAP = String.raw`[ \t]{0,8}`
const HANDED = [
  // setPassword("…")
  String.raw`\(\s{0,8}`,
  // define('DB_PASSWORD', '…'), getenv("API_KEY", "…"), key="Password" value="…"
  String.raw`(${QUOTE}(?:${GAP},\s{0,12}|[ \t]{1,8}value${GAP}[=:]${GAP}))`,
  // "name": "API_TOKEN", "value": "…"
  String.raw`${QUOTE},\s{0,12}${QUOTE}value${QUOTE}${GAP}:${GAP}`,
  // "db_password": { "sensitive": true, "value": "…" }
  String.raw`${QUOTE}${GAP}:${GAP}\{[^{}]{0,200}?${QUOTE}(?:value|default|plaintext)${QUOTE}${GAP}:${GAP}`,
  // options.secret || '…'
  String.raw`(?:${QUOTE})?[\])]{0,2}${GAP}(?:\|\||\?\?|\bor\b)${GAP}`,
].join('|')
const QUOTED = String.raw`(?:${HANDED})${KIND}(${QUOTE})`
/** A line ends; in a quoted text it only says so. */
const LINE = String.raw`(?:\r?\n|(?:\\r)?\\n)\s{0,40}`
/** `name: DB_PASSWORD`, and its value in the next line; `password: |`, and its value there. */
const NEXT_LINE = String.raw`(?:(?:${QUOTE})?,?${GAP}${LINE}(?:${QUOTE})?value(?:${QUOTE})?${GAP}:${GAP}|:${GAP}[|>][+-]?${GAP}${LINE})(?:${QUOTE})?([^\s"'\\${'`'}]{6,})`
const HANDED_VALUE = `(?:${QUOTED}|${NEXT_LINE})`
const named = withPasswords((passwords) => new RegExp(`${nameOf(passwords)}${MORE}${HANDED_VALUE}`, 'iy'))

/** Without any of these nothing is handed on. Looking for them first is many times faster than looking for names. */
const HINTS = ['("', "('", '",', "',", 'value', '||', '??', ' or ', '|\n', '>\n', '|\\n', '>\\n', '|-', '>-']

/** Masks what is handed to something that takes a secret. */
export function placedSecrets(text: string, mask: string): string {
  const handed = HINTS.some((hint) => text.includes(hint)) ? handedSecrets(text, mask) : text
  return handedToPrograms(handed, mask)
}

function handedSecrets(text: string, mask: string): string {
  let result = ''
  let done = 0
  for (const { 0: match, 1: name, 2: pair, 3: quote, 4: below, index } of matchesAt(
    text,
    tellingPlaces(text),
    named(text),
  )) {
    const from = index + match.length - (below?.length ?? 0)
    const value = below ?? quotedValue(text, from, quote!)
    if (from < done || (quote !== undefined && (value.length < 6 || !text.startsWith(quote, from + value.length))))
      continue
    // A list such as `['password', 'address2']` looks like a pair; only names of the environment are sure to have a value.
    const strength = pair !== undefined && name !== name!.toUpperCase() ? 'weak' : strengthOf(name!)
    if (!standsAlone(text, index, name!) || !isSecretValue(value, strength, 'quoted')) continue
    result += text.slice(done, from) + mask
    done = from + value.length
  }
  return result + text.slice(done)
}
