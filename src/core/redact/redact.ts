import { PUBLIC } from './model/identifiers.ts'
import { judged } from './model/mask-by-model.ts'
import { MAY_NAME } from './names.ts'
import { isMonotonous, randomness, saysSomething } from './randomness.ts'
import { assignedSecrets } from './rules/assignments.ts'
import { placedSecrets } from './rules/calls.ts'
import { accountKeys, groupedKeys, listedCodes } from './rules/codes.ts'
import { credentials, seedWords, urlCredentials } from './rules/credentials.ts'
import { keptPasswords } from './rules/kept-passwords.ts'
import { keyBytes } from './rules/key-bytes.ts'
import { KEY_SHAPES, WEB_TOKEN } from './rules/known-keys.ts'
import { kubernetesSecrets } from './rules/kubernetes-secret.ts'
import { surelyHanded } from './rules/programs.ts'
import { sectionSecrets } from './rules/sections.ts'
import { toldSecrets } from './rules/sentences.ts'
import { rowSecrets } from './rules/sql-rows.ts'
import { tableSecrets } from './rules/tables.ts'
import { replaceRuns } from './runs.ts'

/**
 * The one redactor. Everything Grove writes to memory, learnings, trace, logs or sync passes through it: keys of known
 * shape, private key blocks, credentials in URLs and headers, values assigned or handed to secret names, strings that look drawn
 * at random, and what the user put between <private> tags. Names, paths, hashes and ids stay readable.
 */

const MASK = '[redacted]'

/** The text with its secrets masked. Masking again changes nothing. */
export function redact(text: string): string {
  return outsideBlocks(withoutPrivate(text), (part) => {
    const known = withoutKnown(part)
    return judged(known, byRules(known), MASK)
  })
}

/** @public Without what is a secret by its shape alone, whatever stands around it. */
export function withoutKnown(text: string): string {
  const typed = accountKeys(groupedKeys(listedCodes(withoutKeys(text), MASK), MASK), MASK)
  const handed = surelyHanded(keptPasswords(kubernetesSecrets(typed, MASK), MASK), MASK)
  return keyBytes(seedWords(urlCredentials(handed, MASK), MASK), MASK)
}

/** @public Without what rules take for secrets by their names, their places and how random they read. */
export function byRules(text: string): string {
  return withoutRandom(placedSecrets(namedSecrets(credentials(text, MASK)), MASK))
}

function namedSecrets(text: string): string {
  return MAY_NAME.test(text)
    ? tableSecrets(toldSecrets(sectionSecrets(assignedSecrets(rowSecrets(text, MASK), MASK), MASK), MASK), MASK)
    : text
}

/** An opening tag without an end hides the rest: the end may have been cut off. A quoted tag is only talked about. */
function withoutPrivate(text: string): string {
  let result = ''
  let at = 0
  for (let open = text.indexOf('<private>'); open >= 0; open = text.indexOf('<private>', Math.max(at, open + 1))) {
    const before = text[open - 1] ?? ''
    if (/[`"']/.test(before) && text[open + '<private>'.length] === before) continue
    const close = text.indexOf('</private>', open)
    // How it is written is all that this shows.
    if (text.startsWith('<private>…</private>', open)) continue
    result += text.slice(at, open) + MASK
    if (close < 0) return result
    at = close + '</private>'.length
  }
  return result + text.slice(at)
}

/** Masks private key blocks, leaves certificates and public keys as they are, and hands everything between to `mask`. */
export function outsideBlocks(text: string, mask: (part: string) => string): string {
  let result = ''
  let at = 0
  for (const { start, end, isPrivate } of blocks(text)) {
    result += mask(text.slice(at, start)) + (isPrivate ? MASK : text.slice(start, end))
    at = end
  }
  return result + mask(text.slice(at))
}

interface Block {
  start: number
  end: number
  isPrivate: boolean
}

/**
 * What is encrypted where it stands, by the tools that keep secrets in repositories: SOPS, eyaml, Jasypt, Spring, Vault, Ansible, Pulumi,
 * Travis, KMS. Without their key it is no secret.
 */
const SEALED =
  /\bENC\[[A-Z\d_]{3,20},[^\]\n]{8,4000}\]|\bENC\([\w+/=]{16,2000}\)|\{cipher\}[0-9a-f]{32,4000}|\bvault:v\d{1,4}:[\w+/]{16,4000}={0,2}|\$ANSIBLE_VAULT;[^\n]{3,60}(?:\n[ \t]{0,40}[0-9a-f]{20,80}){1,500}|\bsecure["']?:[ \t]{1,4}["']?(?:v1:[\w+/]{16}:[\w+/]{16,4000}|[\w+/]{60,4000})={0,2}|\bAQICAH[\w+/]{60,4000}={0,2}/
const BLOCK = new RegExp(`-----BEGIN ([A-Za-z0-9 ]{1,40})-----|${SEALED.source}`, 'g')

/** The PEM blocks of a text, and what is encrypted in it. A block that was cut off ends where its body ends; a marker that is only talked about is none. */
function* blocks(text: string): Generator<Block> {
  for (const { 0: marker, 1: label, index: start } of text.matchAll(BLOCK)) {
    if (label === undefined) {
      yield { start, end: start + marker.length, isPrivate: false }
      continue
    }
    const bodyStart = start + marker.length
    const bodyEnd = endOfBody(text, bodyStart)
    if (!/[A-Za-z0-9+/]{32}/.test(text.slice(bodyStart, bodyEnd))) continue
    const closing = `-----END ${label}-----`
    const end = text.startsWith(closing, bodyEnd) ? bodyEnd + closing.length : bodyEnd
    yield { start, end, isPrivate: /PRIVATE KEY|static key|secret/i.test(label) }
  }
}

/** Base64 with line ends, also escaped ones, and the headers of old formats. */
function endOfBody(text: string, from: number): number {
  const dashes = text.indexOf('-----', from)
  const body = text.slice(from, dashes < 0 ? undefined : dashes)
  const strange = body.search(/[^A-Za-z0-9+/=\s\\:,-]/)
  return from + (strange < 0 ? body.length : strange)
}

/** Masks what its issuer made recognisable, whatever stands around it. */
export function withoutKeys(text: string): string {
  return replaceRuns(text, (run) => {
    // Most long runs are paths and names in small letters.
    if (!/[A-Z0-9]/.test(run)) return run
    return run.replace(KEY_SHAPES, (key) => (isExample(key) ? key : MASK)).replace(WEB_TOKEN, MASK)
  })
}

/** Keys of documentation: `AKIA…EXAMPLE`, `sk-xxxx…`, `xoxb-your-token`, `ghp_1234567890abcdef…`. */
function isExample(key: string): boolean {
  return /EXAMPLE(?:KEY)?$|([xX0*])\1{9}/.test(key) || STANDS_FOR_ONE.test(key)
}

/** A word that says what belongs here; a drawn key hardly has one between two signs. */
const STANDS_FOR_ONE =
  /(?:^|[-_.])(?:your|my|the|some|insert|replace|change|example|sample|dummy|fake|placeholder|token|here|goes|xxx+|redacted|abc123|test[-_]?(?:token|key))(?=[-_.]|$)|^[a-z]+[-_](?:live_|test_)?your[a-z]*$/i

/** Shorter random strings are mostly ids (21 to 28 characters), longer ones mostly keys. */
const SHORTEST_RANDOM = 30
const RANDOM_RUN = /[A-Za-z0-9+/_-]{30,}={0,2}/g

function withoutRandom(text: string): string {
  return replaceRuns(text, (run, start) =>
    run.replace(RANDOM_RUN, (part, offset: number) => (isRandomSecret(part, text, start + offset) ? MASK : part)),
  )
}

function isRandomSecret(run: string, text: string, offset: number): boolean {
  // Ids and digests are written in hexadecimal; what is left when they are taken out must be random by itself.
  const rest = run.replace(HEX_PART, '')
  if (rest.length < SHORTEST_RANDOM || !/\d/.test(rest) || randomness(rest) < 0.15) return false
  // The rest of an address: ipfs://…
  if (run.startsWith('//') && text[offset - 1] === ':') return false
  const isRooted = run.startsWith('/') || ROOT.test(text.slice(Math.max(0, offset - 80), offset))
  if (
    PUBLIC.test(run) ||
    ID.test(run) ||
    isPath(run, isRooted) ||
    isMonotonous(run) ||
    isAlphabet(run) ||
    saysSomething(run)
  )
    return false
  return !PUBLIC_BEFORE.test(text.slice(Math.max(0, offset - 300), offset))
}

const HEX_PART =
  /(?<![A-Za-z0-9])(?:0x[0-9a-fA-F]{7,}|[0-9a-f]{7,}|[0-9A-F]{7,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?![A-Za-z0-9])/g
/** `toolu_01…`, `req_011…`, `pi_3Mtw…`: a short word and a number that names a thing. */
const ID = /^[a-z]{2,12}_(?:[A-Za-z0-9]{14,32}|0[A-Za-z0-9]{20,32})$/
/** A digest's or a public key's name, an embedded file, or a URL this is only a part of. */
const PUBLIC_BEFORE =
  /(?:(?:\b|[a-z])(?:hash|Hash|HASH)>|(?:\b|[a-z_-])(?:hash|Hash|HASH)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?|\b(?:pub(?:lic)?[_ -]?key|fingerprint|thumbprint|integrity|digest(?::[ \t]{0,4}[A-Za-z0-9-]{3,10})?|checksum|etag|kid|x5[ct]|certificate|cert)["']?[ \t]{0,4}[:=][ \t]{0,4}\[?["']?|"(?:n|x|y)"[ \t]?:[ \t]?"|\bh1:|\bsha\d{1,3}[:=][ "']?|\bmd5[:=]|(?:;|%3B)base64(?:,|%)|\/nix\/store\/|[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'<>`?]*)$/i

/** A path begins before a run: `~/.`, `./`, `/home/bob/.` */
const ROOT = /(?:^|[\s"'=:(])(?:~|\.{1,2})?\/[\w./-]*\.$/

/** No character twice: an alphabet, not a secret. */
function isAlphabet(run: string): boolean {
  return new Set(run).size === run.length
}

/** Folders with names; one is enough behind the root, a home or another folder. */
function isPath(run: string, isRooted: boolean): boolean {
  if (!run.includes('/')) return false
  const wordy = run.split('/').filter((part) => /^[A-Za-z_-]{3,}$/.test(part) && randomness(part) < 0)
  return wordy.length >= (isRooted ? 1 : 2)
}
