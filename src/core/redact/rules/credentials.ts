import {
  isChosen,
  isExpression,
  isShown,
  isWordWithNumber,
  looksDrawn,
  MEMBER,
  PLACEHOLDER,
  SELF_NAMED,
} from '../values.ts'
import { byLines, type LineRule } from './line-rules.ts'

/** Secrets that are known by where they stand: in a URL, a header, a cookie or the options of common commands. */

const URL_USER = /:\/\/([^\s:@/?#"'<>`]{0,128}):(?!\d{1,5}[?#])([^\s/"'<>`]{4,256})@(?=[\w.[-])/g
const URL_TOKEN = /:\/\/([^\s:@/?#"'<>`]{20,256})@(?=[\w.[-])/g
const SEED_WORDS =
  /(\b(?:mnemonic|seed|(?:seed|recovery|backup)[ _-]?(?:phrase|words))\b["']?[^\n:="']{0,30}(?:[:=→]|->|\bis\b)[ \t]{0,8}["']?)((?:[a-z]{3,8}[ \t]+){11,23}[a-z]{3,8})/gi
/** `1. obscure 2. fiscal …` */
const NUMBERED_WORDS =
  /(\b(?:mnemonic|seed|phrase|wallet|words)\b[^\n]{0,60}\n?[ \t]{0,8})((?:\d{1,2}[.):][ \t]{0,2}[a-z]{3,8}[ \t,;\n]{1,4}){11,23}\d{1,2}[.):][ \t]{0,2}[a-z]{3,8})/gi
const COOKIES = /((?:\bcookie["']?:|[ \t]--cookie[ =]|\bcurl\b[^\n]{0,80}?[ \t]-b)[ \t]*["']?)([^\n"']{1,2000})/gi

/** Masks the words that a wallet can be restored from. */
export function seedWords(text: string, mask: string): string {
  return text
    .replace(SEED_WORDS, (_, head: string) => head + mask)
    .replace(NUMBERED_WORDS, (_, head: string) => head + mask)
}

/** Masks credentials in URLs. */
export function urlCredentials(text: string, mask: string): string {
  return text.includes('://')
    ? text
        .replace(URL_USER, (match, user: string, pass: string) =>
          isVariable(pass) || isHint(pass) || user === pass
            ? match
            : `://${user.length >= 20 && looksDrawn(user) ? mask : user}:${mask}@`,
        )
        .replace(URL_TOKEN, (match, token: string) => (/\d/.test(token) && !isVariable(token) ? `://${mask}@` : match))
    : text
}

/** A placeholder or a reference in place of a value. */
function isHint(value: string): boolean {
  return isExpression(value) || PLACEHOLDER.test(value) || SELF_NAMED.test(value)
}

/** The same, or the name of a variable. */
function isStandIn(value: string): boolean {
  return isHint(value) || (MEMBER.test(value) && !looksDrawn(value))
}

const isGiven = (value: string) => !isStandIn(value)

/** Headers, and the options of common commands. */
const PLACES: LineRule[] = [
  // app:…@tcp(db:3306), app:…@db:5432, corp/app:…@10.0.0.2
  {
    words: ['@'],
    must: isGiven,
    taken:
      /(?<![\w.:/@\\-])((?:[\w.-]{1,40}[/\\])?[\w.-]{1,64}:)([^\s:@/"'`]{6,128})@(?!sha\d{3}:)(?=(?:tcp|unix)\(|\d{1,3}(?:\.\d{1,3}){3}(?![\w.])|[\w.-]{1,100}:\d{2,5}(?!\d))/g,
  },
  {
    words: ['authorization'],
    must: (value) => (/[\d=]/.test(value) || looksDrawn(value)) && !isStandIn(value),
    taken:
      /\b(authorization(?:\\?["'])?(?:[ \t]{0,4}[:=,]|(?=[ \t]{1,4}["'](?:basic|bearer|token) ))[ \t]{0,4}(?:[a-z]?\\?["'`])?(?:[a-z][a-z-]{2,15}[ \t]+)?)([^\s"'`,;\\]{8,})/gi,
  },
  {
    words: ['digest'],
    must: isGiven,
    taken: /(\bDigest[ \t][^\n]{0,400}?\bresponse="?)([0-9a-f]{32,128})/gi,
  },
  {
    words: ['bearer'],
    must: (value) => looksDrawn(value) && !isStandIn(value),
    taken: /\b(bearer[ \t]+)([A-Za-z0-9._~+/=-]{16,})/gi,
  },
  {
    words: ['-u', '--user', '--auth', '--proxy-user'],
    must: (value) => !/^\d+$/.test(value) && !isStandIn(value),
    taken: /(\s(?:-u|--user|--auth|--proxy-user)[ =]["']?[^\s:"']{1,64}:)([^\s"']{4,})/g,
  },
  // In .netrc; "login denied: password …" says why.
  {
    words: ['login'],
    isFar: true,
    must: isGiven,
    taken: /(\blogin[ \t]+\S{0,63}[^\s:]\s{1,8}password[ \t]+)(\S{4,})/g,
  },
  {
    words: ['sshpass', ' login'],
    must: isGiven,
    taken:
      /(\b(?:sshpass|(?:docker|podman|oc|az|skopeo|buildah|helm registry) login)\b[^\n]{0,80}?[ \t]-p[ \t]*["']?)([^\s"']{4,})/g,
  },
  // Some programs take the password right behind the letter, others only after a space.
  {
    words: ['mysql', 'mariadb', 'redis-cli', 'mongo', 'ldap'],
    must: isGiven,
    taken:
      /(\b(?:(?:mysql|mariadb|mysqldump|mysqladmin)\b[^\n]{0,80}?[ \t]-p["']?|(?:redis-cli\b[^\n]{0,80}?[ \t]-a|(?:mongosh?|mongodump|mongorestore)\b[^\n]{0,80}?[ \t]-p|ldap\w+\b[^\n]{0,80}?[ \t]-w)[ \t]+["']?))([^\s"']{4,})/g,
  },
  // A password behind one letter, whatever the program, where it can hardly be anything else
  {
    words: ['-p', '-a', '-x', '-n', '-k', '-w', '/rp', '/p:', '/pass:'],
    must: (value, before) =>
      (isShown(value) || (isWordWithNumber(value) && !TAKES_NAMES.test(before.slice(-100)))) && !isStandIn(value),
    taken: /((?:^|\s)(?:-[pPAXNKw]|\/(?:rp|p:|pass:))[ \t]?["']?)([^\s"']{8,64})/gm,
  },
]

const inPlaces = byLines(PLACES)

/** Masks credentials in headers, cookies and the options of common commands. */
export function credentials(text: string, mask: string): string {
  return /cookie|curl/i.test(text) ? inCookies(inPlaces(text, mask), mask) : inPlaces(text, mask)
}

function inCookies(text: string, mask: string): string {
  return text.replace(
    COOKIES,
    (_, head: string, body: string) =>
      head +
      body.replace(/=([^;\s]{8,})/g, (pair, value: string) =>
        looksDrawn(value) || isChosen(value) ? `=${mask}` : pair,
      ),
  )
}

/** Commands that are told a folder, a port, a project or a pattern by `-p`. */
const TAKES_NAMES =
  /\b(?:mkdir|install|cp|tar|touch|rsync|perl|python\d?|node|cargo|pnpm|lerna|nx|turbo|yarn|npm|npx|tsc|docker|podman|compose|git|make|cmake|patch|grep|ps|lsof|tmux|screen|pytest|go|dotnet|flutter|terraform|ansible\S*)\b[^\n|;&]*$/

function isVariable(value: string): boolean {
  return /^\$|^[<{%*]|\[redacted|^x+$/i.test(value)
}
