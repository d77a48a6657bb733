import { randomness } from '../randomness.ts'

/**
 * Secrets that are made to be typed from a screen or a sheet: codes for an emergency, listed below a line that says so, and keys for an
 * authenticator in groups of four. What they look like and where they stand leave no doubt, so nothing else is asked.
 */

const HEADING =
  /\b(?:recovery|backup|scratch|emergency|one[- ]time|single[- ]use)[ _-](?:(?:backup|recovery|login|access)[ _-])?codes?\b|(?:backup|recovery|wiederherstellungs|notfall)-?codes?\b|\bcodes? de (?:secours|récupération|recuperaci[oó]n|respaldo)|códigos de (?:recuperaci[oó]n|respaldo|backup|recuperação)|codici di (?:backup|recupero)/i
/** What a list puts before its codes. */
const MARKER = /^[ \t]{0,12}(?:[-*•][ \t]{1,4}|\[[ x]\][ \t]{1,4}|\d{1,2}[.):][ \t]{1,4})?/
const MOST_CODES = 50
const MOST_LINES = 24

/** Masks the codes in the lines below a line that announces them. */
export function listedCodes(text: string, mask: string): string {
  if (!HEADING.test(text)) return text
  const lines = text.split('\n')
  let left = 0
  return lines
    .map((line) => {
      if (HEADING.test(line)) {
        left = MOST_LINES
        return line
      }
      if (left === 0 || line.trim() === '') return line
      const marker = MARKER.exec(line)![0]
      if (!isOfCodes(line.slice(marker.length).trim())) {
        left = 0
        return line
      }
      left--
      return `${marker}${mask}`
    })
    .join('\n')
}

/** Nothing but codes, in one column or several: most parts have a digit, as no words have. */
function isOfCodes(line: string): boolean {
  const parts = line.split(/[ \t]{1,8}|-/, MOST_CODES)
  return (
    parts.every((part) => /^[A-Za-z0-9]{2,24}$/.test(part)) &&
    parts.filter((part) => /\d/.test(part)).length * 2 > parts.length &&
    parts.join('').length >= 6
  )
}

/** In groups, or as one run with a digit. */
const GROUPED =
  /(?<![\w-])(?:(?=[A-Z]{0,30}[2-7])(?:[A-Z2-7]{16}|[A-Z2-7]{26}|[A-Z2-7]{32}|[A-Z2-7]{52})|[A-Z2-7]{4}(?: [A-Z2-7]{4}){3,12}|[a-z2-7]{4}(?: [a-z2-7]{4}){3,12})(?![\w-])/g
const AUTHENTICATOR = /authenticat|\b(?:t?otp|2fa|mfa|two-factor)\b/i
const OF_AN_AUTHENTICATOR = /authenticat|\b(?:t?otp|2fa|mfa|key|secret|manual(?:ly)?|qr)\b|schlüssel|clé|clave|chiave/i
/** Words of four letters have a vowel each, and hardly ever such neighbours. */
const NO_WORD =
  /(?<![a-z])(?:[bcdfghjklmnpqrstvwxz]{4}|[a-z]{0,3}(?:q[^u ]|[jvx][bcdfghjklmnpqrstvwxz]|[bcdfghjklmnpqrtwxz][jqvx]|\d)[a-z]{0,3})(?![a-z])/gi

/** Masks keys of authenticators. */
export function groupedKeys(text: string, mask: string): string {
  return text.replace(GROUPED, (groups, at: number) => {
    const line = text.slice(Math.max(0, at - 120), at) + text.slice(at + groups.length, at + groups.length + 60)
    if (!groups.includes(' ')) return AUTHENTICATOR.test(line) && randomness(groups) > 0.3 ? mask : groups
    return (groups.match(NO_WORD)?.length ?? 0) >= 2 && OF_AN_AUTHENTICATOR.test(line) ? mask : groups
  })
}

/** The accounts that a tool for contracts signs with are its private keys; an address has forty digits. */
const ACCOUNTS = /\baccounts["']?[ \t]{0,4}[:=][ \t]{0,4}\[[^\]\n]{64,2000}\]/g

export function accountKeys(text: string, mask: string): string {
  return text.includes('accounts')
    ? text.replace(ACCOUNTS, (list) => list.replace(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi, mask))
    : text
}
