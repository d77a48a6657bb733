// Which letters a text must have for a regular expression to match it, as far as that can be told from the expression.

/** More than so many ways to write a part of an expression, or all of it, are not followed. */
const MOST_WAYS = 64
const MOST_NEEDS = 600

/** In a way to write something: the edge of a word of Latin letters. */
export const EDGE = '\u0001'

/**
 * Texts in lower case, one of which every match contains; `EDGE` in them is where a Latin letter begins or ends a word. Undefined
 * where none can be told.
 */
export function neededLetters(source, flags) {
  const tree = parse(source, flags)
  const needs = needsOf(tree)
  return needs && needs.length <= MOST_NEEDS ? [...new Set(needs)] : undefined
}

/**
 * The tree: `{ any: [sequence…] }` is one of them, a sequence is a list of parts. A part is `{ ways: [text…] }`, exactly one of those
 * texts; `{ any }`, a group; `{ some: part }`, once or more; or `undefined`, whatever else.
 */
function parse(source, flags) {
  let at = 0
  const disjunction = () => {
    const any = [sequence()]
    while (source[at] === '|') {
      at++
      any.push(sequence())
    }
    return { any }
  }
  const sequence = () => {
    const parts = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified(term()))
    return parts
  }
  const quantified = (part) => {
    const [all, sign, from, to] = /^(?:([*+?])|\{(\d+)(?:,(\d*))?\})\??/.exec(source.slice(at)) ?? ['']
    at += all.length
    if (all === '') return part
    if (sign === '?' || (from === '0' && to === '1')) return { any: [[part], []] }
    if (sign === '*' || from === '0') return undefined
    return { some: part }
  }
  const term = () => {
    const sign = source[at++]
    if (sign === '(') return group()
    if (sign === '[') return charClass()
    if (sign === '\\') return escaped()
    if (sign === '^' || sign === '$') return NOTHING
    return sign === '.' ? undefined : letter(sign, flags)
  }
  const group = () => {
    const [head] = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(source.slice(at)) ?? ['']
    at += head.length
    const from = at
    const inside = disjunction()
    const written = source.slice(from, at)
    at++
    if (head === '?!' || head === '?<!') return written === '' ? NEVER : endsWord(written) ? { ways: [EDGE] } : NOTHING
    if (head === '?=' || head === '?<=') return NOTHING
    return inside
  }
  const charClass = () => {
    const [, not, inside] = /^(\^?)((?:\\.|[^\]\\])*)\]/s.exec(source.slice(at))
    at += not.length + inside.length + 1
    // Ranges, sets and signs that are written by numbers are left alone.
    if (not || /\\[^\\/\][.^$|()*+?{}-]|.-./s.test(inside)) return undefined
    const letters = [...inside.replace(/\\(.)/gs, '$1')]
    return letters.length <= 8 ? union(letters.map((sign) => letter(sign, flags))) : undefined
  }
  const escaped = () => {
    const sign = source[at++]
    if (sign === 'b') return { ways: [EDGE] }
    if (sign === 'B') return NOTHING
    if (/[pP]/.test(sign) && /u/.test(flags)) {
      at = source.indexOf('}', at) + 1
      return undefined
    }
    const [, wide, narrow] = /^(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(source.slice(at - 1)) ?? []
    const code = wide ?? narrow
    if (code !== undefined) {
      at += code.length
      return letter(String.fromCharCode(Number.parseInt(code, 16)), flags)
    }
    if (sign === 'k' && source[at] === '<') at = source.indexOf('>', at) + 1
    if (/[a-zA-Z0-9]/.test(sign)) return undefined
    return letter(sign, flags)
  }
  const tree = disjunction()
  if (at !== source.length) throw new Error(`not understood: /${source}/${flags} at ${at}`)
  return tree
}

const NOTHING = { ways: [''] }
const NEVER = { ways: [] }

/** Whether what must not follow, or not stand before, is any Latin letter among others. */
function endsWord(written) {
  return written.split(/\|(?![^[]*\])/).some((one) => /^(?:\\w|\\p\{L\}|\[[^\]^]*(?:\\w|\\p\{L\})[^\]]*\])$/.test(one))
}

function union(parts) {
  return parts.includes(undefined) ? undefined : { ways: parts.flatMap(({ ways }) => ways) }
}

const followed = new Map()
const EVERY = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).join('')

/** A letter as it is in lower case; undefined where an expression takes others for it that are not. */
function letter(sign, flags) {
  const code = sign.charCodeAt(0)
  if (sign.length > 1 || code < 32 || (code >= 0xd800 && code < 0xe000)) return undefined
  if (!flags.includes('i') || code < 128) return { ways: [sign.toLowerCase()] }
  const lower = sign.toLowerCase()
  const key = `${sign}${flags.includes('u')}`
  if (!followed.has(key)) {
    const same = EVERY.match(new RegExp(sign, flags.includes('u') ? 'giu' : 'gi')) ?? []
    followed.set(key, lower.length === 1 && same.every((one) => one.toLowerCase() === lower))
  }
  return followed.get(key) ? { ways: [lower] } : undefined
}

/** Every way to write a part; undefined where there are too many, or endlessly many. */
function waysOf(part) {
  if (part === undefined || 'some' in part) return undefined
  if (part.ways) return part.ways
  const all = part.any.map((sequence) => {
    let ways = ['']
    for (const one of sequence) {
      const more = waysOf(one)
      if (more === undefined || ways.length * more.length > MOST_WAYS) return undefined
      ways = ways.flatMap((head) => more.map((tail) => head + tail))
    }
    return ways
  })
  return all.includes(undefined) || all.flat().length > MOST_WAYS * 4 ? undefined : all.flat()
}

/** Texts, one of which stands in whatever matches a part. */
function needsOf(part) {
  if (part === undefined) return undefined
  if ('some' in part) return needsOf(part.some)
  if (part.ways) return worth(part.ways)
  const each = part.any.map(needsOfSequence)
  return each.includes(undefined) ? undefined : each.flat()
}

/** The most telling of what a sequence needs: letters that follow each other, or what one of its parts needs. */
function needsOfSequence(sequence) {
  let best
  let run = ['']
  const offer = (needs) => {
    if (needs && (best === undefined || strengthOf(needs) > strengthOf(best))) best = needs
  }
  for (const part of sequence) {
    const ways = waysOf(part)
    if (ways !== undefined && run.length * ways.length <= MOST_WAYS) {
      run = run.flatMap((head) => ways.map((tail) => head + tail))
      continue
    }
    offer(worth(run))
    offer(needsOf(part))
    run = ways !== undefined && ways.length <= MOST_WAYS ? ways : ['']
  }
  offer(worth(run))
  return best
}

/** A single letter that is no edge of a word tells nothing, since most texts have it. */
function worth(ways) {
  return ways.every((way) => tellingOf(way) >= 2) ? ways : undefined
}

function tellingOf(way) {
  const letters = way.replaceAll(EDGE, '')
  const edges = way.length - letters.length
  return letters.length === 0 ? 0 : letters.length + Math.min(edges, 2) / 2 + (/[^\sa-z\d_.,'-]/.test(letters) ? 1 : 0)
}

function strengthOf(needs) {
  return Math.min(6, ...needs.map(tellingOf)) - needs.length / 200
}
