/** How times, amounts and paths are written. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `now`, `6 min`, `3 h`, `2 d`, `5 weeks`, `3 months`: how long ago. */
export function ago(at: number, now: number): string {
  const passed = Math.max(0, now - at)
  if (passed < MINUTE) return 'now'
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min`
  if (passed < 2 * DAY) return `${Math.floor(passed / HOUR)} h`
  if (passed < 21 * DAY) return `${Math.floor(passed / DAY)} d`
  if (passed < 70 * DAY) return `${Math.round(passed / DAY / 7)} weeks`
  if (passed < 700 * DAY) return `${Math.round(passed / DAY / 30.4)} months`
  return `${Math.round(passed / DAY / 365)} years`
}

/** The same in a sentence: `just now`, `6 min ago`. */
export function since(at: number, now: number): string {
  const passed = ago(at, now)
  return passed === 'now' ? 'just now' : `${passed} ago`
}

/** `38 s`, `12 min`, `1 h 20 min`, `20 d`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  if (ms >= 2 * DAY) return `${Math.floor(ms / DAY)} d`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest > 0 ? ` ${rest} min` : ''}`
}

/** `1 h 02 min 08 s`: what is left, to the second. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (part: number) => String(part).padStart(2, '0')
  if (h > 0) return `${h} h ${two(m)} min ${two(s)} s`
  return m > 0 ? `${m} min ${two(s)} s` : `${s} s`
}

/** The order of day and month is the reader's own; the digits are those of all other numbers on the page. */
const DIGITS = { numberingSystem: 'latn' }
/** Made once: a long story asks thousands of times, and a new one for each takes ten times as long. */
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', ...DIGITS })
const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false, ...DIGITS })
const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', ...DIGITS })

/** The moment itself, as it is shown on hover. */
export function moment(at: number): string {
  return MOMENT.format(at)
}

/** `14:02`. */
export function timeOfDay(at: number): string {
  return TIME.format(at)
}

/** `Nov 19`; nothing for today. */
export function day(at: number, now: number): string {
  if (new Date(at).toDateString() === new Date(now).toDateString()) return ''
  return DATE.format(at)
}

/** `14:02`, with the day in front when it is not today. */
export function clock(at: number, now: number): string {
  return `${day(at, now)} ${timeOfDay(at)}`.trim()
}

export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** `$1.84`; less than a cent is said to be so. */
export function money(usd: number | undefined): string {
  if (usd === undefined) return '–'
  if (usd > 0 && usd < 0.01) return '< $0.01'
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}

/** `62 k`, `1.2 M`: large numbers in a few letters. */
export function short(value: number): string {
  if (value < 10_000) return count(Math.round(value))
  if (value < 1_000_000) return `${Math.round(value / 1000)} k`
  return `${(value / 1_000_000).toFixed(1)} M`
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

export function plural(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** `once`, `twice`, `3 times`. */
export function times(number: number): string {
  return ['', 'once', 'twice'][number] || `${count(number)} times`
}

/** A path in two parts: the first may be cut, the last is its file name and stays. */
export function splitPath(path: string): [string, string] {
  const slash = path.lastIndexOf('/', path.length - 2)
  return slash < 0 ? ['', path] : [path.slice(0, slash + 1), path.slice(slash + 1)]
}

/** A command in parts: every second one is a flag, such as `-g` or `--save-exact`. */
export function splitFlags(command: string): string[] {
  return command.split(/((?<!\S)-\S+)/)
}

/** The ids of sessions are long; the first letters tell them apart. */
export function shortId(id: string): string {
  return id.length > 12 ? id.slice(0, 8) : id
}
