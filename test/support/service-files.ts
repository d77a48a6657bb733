/** Readers of service files, as far as Grove writes them: what they do not understand is an error. */

type Unit = Record<string, Record<string, string[]>>

/** A systemd unit: what each directive says, word by word where systemd takes it so. */
export function readUnit(text: string): Unit {
  const unit: Unit = {}
  let section: Record<string, string[]> | undefined
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? []
    const [, key, value] = /^(\w+)=(.+)$/.exec(line) ?? []
    if (name) {
      section = {}
      unit[name] = section
    } else if (section && key && value) section[key] = readValue(key, value)
    else throw new Error(`not a line of a unit: ${line}`)
  }
  return unit
}

function readValue(key: string, value: string): string[] {
  const plain = (word: string) => word.replaceAll('%%', '%')
  if (key === 'ExecStart') return words(value).map((word) => plain(word).replaceAll('$$', '$'))
  return key === 'Environment' ? words(value).map(plain) : [plain(value)]
}

/** Words between spaces; in quotes, a backslash takes the next character as it is. */
function words(value: string): string[] {
  const found = [...value.matchAll(/\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))/gy)]
  if (found.map(([all]) => all).join('') !== value) throw new Error(`open quotes: ${value}`)
  return found.map(([, quoted, bare]) => quoted?.replace(/\\(.)/g, '$1') ?? bare!)
}

type Plist = string | boolean | Plist[] | { [key: string]: Plist }

/** A property list: dictionaries, arrays, strings and truth values. */
export function readPlist(text: string): Plist {
  const tokens = [...text.matchAll(/\s*(<[^>]+>|[^<]+)/gy)].map(([, token]) => token!)
  const take = (wanted: RegExp): string => {
    const token = tokens.shift()
    if (!token || !wanted.test(token)) throw new Error(`expected ${wanted}, not ${token}`)
    return token
  }
  take(/^<\?xml version="1\.0" encoding="UTF-8"\?>$/)
  take(/^<!DOCTYPE plist PUBLIC /)
  take(/^<plist version="1\.0">$/)
  const value = plistValue(tokens, take)
  take(/^<\/plist>$/)
  return value
}

function plistValue(tokens: string[], take: (wanted: RegExp) => string): Plist {
  const inside = (tag: string) => {
    const text = tokens[0]!.startsWith('<') ? '' : take(/./)
    take(new RegExp(`^</${tag}>$`))
    return unescaped(text)
  }
  const opening = take(/^<(?:dict|array|string|true\/|false\/)>$/)
  if (opening === '<string>') return inside('string')
  if (opening === '<array>') {
    const items: Plist[] = []
    while (tokens[0] !== '</array>') items.push(plistValue(tokens, take))
    tokens.shift()
    return items
  }
  if (opening !== '<dict>') return opening === '<true/>'
  const entries: [string, Plist][] = []
  while (tokens[0] !== '</dict>') {
    take(/^<key>$/)
    entries.push([inside('key'), plistValue(tokens, take)])
  }
  tokens.shift()
  return Object.fromEntries(entries)
}

function unescaped(text: string): string {
  if (/&(?!(?:amp|lt|gt);)/.test(text)) throw new Error(`a bare ampersand: ${text}`)
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
