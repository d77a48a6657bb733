import {
  EXPRESSION,
  isAppPassword,
  isChosen,
  isPassphrase,
  isUnmistakable,
  isWordWithNumber,
  isWordy,
  looksDrawn,
  MEMBER,
  PLACEHOLDER,
  SELF_NAMED,
} from './values.ts'

/** Secrets that are known by where they stand: in a URL, a header, a cookie or the options of common commands. */

const URL_USER = /:\/\/([^\s:@/?#"'<>`]{0,128}):(?!\d{1,5}[?#])([^\s/"'<>`]{4,256})@(?=[\w.[-])/g
const URL_TOKEN = /:\/\/([^\s:@/?#"'<>`]{20,256})@(?=[\w.[-])/g
const AUTHORIZATION =
  /\b(authorization(?:\\?["'])?(?:[ \t]{0,4}[:=,]|(?=[ \t]{1,4}["'](?:basic|bearer|token) ))[ \t]{0,4}(?:[a-z]?\\?["'`])?(?:[a-z][a-z-]{2,15}[ \t]+)?)([^\s"'`,;\\]{8,})/gi
const DIGEST = /(\bDigest[ \t][^\n]{0,400}?\bresponse="?)([0-9a-f]{32,128})/gi
const BEARER = /\b(bearer[ \t]+)([A-Za-z0-9._~+/=-]{16,})/gi
const LOGIN = /(\s(?:-u|--user)[ =]["']?[^\s:"']{1,64}:)([^\s"']{4,})/g
/** A password behind one letter, whatever the program, where it can hardly be anything else. */
const SHORT_OPTION = /((?:^|\s)(?:-[pPAXNKw]|\/(?:rp|p:|pass:))[ \t]?["']?)([^\s"']{8,64})/g
/** "login denied: password …" says why. */
const NETRC = /(\blogin[ \t]+\S{0,63}[^\s:]\s{1,8}password[ \t]+)(\S{4,})/g
const SHELL_LOGIN =
  /(\b(?:sshpass|(?:docker|podman|oc|az|skopeo|buildah|helm registry) login)\b[^\n]{0,80}?[ \t]-p[ \t]*["']?)([^\s"']{4,})/g
/** Some programs take the password right behind the letter, others only after a space. */
/** `app:…@tcp(db:3306)`, `app:…@db:5432`, `corp/app:…@10.0.0.2`. */
const DSN =
  /(?<![\w.:/@\\-])((?:[\w.-]{1,40}[/\\])?[\w.-]{1,64}:)([^\s:@/"'`]{6,128})@(?=(?:tcp|unix)\(|\d{1,3}(?:\.\d{1,3}){3}(?![\w.])|[\w.-]{1,100}:\d{2,5}(?!\d))/g
const DATABASE_LOGIN =
  /(\b(?:(?:mysql|mariadb|mysqldump|mysqladmin)\b[^\n]{0,80}?[ \t]-p["']?|(?:redis-cli\b[^\n]{0,80}?[ \t]-a|(?:mongosh?|mongodump|mongorestore)\b[^\n]{0,80}?[ \t]-p|ldap\w+\b[^\n]{0,80}?[ \t]-w)[ \t]+["']?))([^\s"']{4,})/g
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
          isVariable(pass) || PLACEHOLDER.test(pass) || user === pass
            ? match
            : `://${user.length >= 20 && looksDrawn(user) ? mask : user}:${mask}@`,
        )
        .replace(URL_TOKEN, (match, token: string) => (/\d/.test(token) && !isVariable(token) ? `://${mask}@` : match))
    : text
}

/** Masks credentials in headers, cookies and the options of common commands. */
export function credentials(text: string, mask: string): string {
  const keep = (value: string) =>
    EXPRESSION.test(value) ||
    (MEMBER.test(value) && !looksDrawn(value)) ||
    PLACEHOLDER.test(value) ||
    SELF_NAMED.test(value) ||
    value.includes(mask)
  const unlessKept = (match: string, head: string, value: string) => (keep(value) ? match : head + mask)
  const withoutDsn = text.includes('@')
    ? text.replace(DSN, (match, user: string, pass: string) => (keep(pass) ? match : `${user}${mask}@`))
    : text
  return withoutDsn
    .replace(AUTHORIZATION, (match, head: string, value: string) =>
      /[\d=]/.test(value) || looksDrawn(value) ? unlessKept(match, head, value) : match,
    )
    .replace(DIGEST, unlessKept)
    .replace(BEARER, (match, head: string, value: string) =>
      looksDrawn(value) ? unlessKept(match, head, value) : match,
    )
    .replace(LOGIN, (match, head: string, value: string) =>
      /^\d+$/.test(value) ? match : unlessKept(match, head, value),
    )
    .replace(NETRC, unlessKept)
    .replace(SHELL_LOGIN, unlessKept)
    .replace(DATABASE_LOGIN, unlessKept)
    .replace(SHORT_OPTION, (match, head: string, value: string, at: number, whole: string) =>
      isShown(value) || (isWordWithNumber(value) && !TAKES_NAMES.test(before(whole, at)))
        ? unlessKept(match, head, value)
        : match,
    )
    .replace(
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

function before(text: string, at: number): string {
  return text.slice(Math.max(0, at - 100), at)
}

function isShown(value: string): boolean {
  return (
    isUnmistakable(value) ||
    isPassphrase(value) ||
    isWordy(value) ||
    (isChosen(value) && looksDrawn(value)) ||
    isAppPassword(value)
  )
}

function isVariable(value: string): boolean {
  return /^\$|^[<{%*]|\[redacted|^x+$/i.test(value)
}
