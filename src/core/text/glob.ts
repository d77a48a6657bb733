/**
 * Globs in bounded time, whatever they are made of. A compiled glob is a row of nodes; matching walks it once with the set
 * of all places in the path that have been reached so far, so nothing is ever tried twice. Regular expressions made from
 * globs try every way one after the other: twenty stars are enough to stop a program for good.
 */

type Node =
  | { type: 'char'; is(char: string): boolean }
  /** Any letters of a name; a name that is nothing but this is not empty. */
  | { type: 'star' }
  /** `**` as a whole name: any folders, none too. */
  | { type: 'folders' }
  | { type: 'any of'; ways: Node[][]; repeat: '' | '?' | '*' | '+' | '!' }

/** The system knows no longer path. */
export const LONGEST_PATH = 4096
const LONGEST_GLOB = 2000
const DEEPEST = 4

/** Tests whole paths; wildcards match dotfiles, but never `.` and `..`. A glob that is far too long matches nothing. */
export function boundedGlob(glob: string): (path: string) => boolean {
  if (glob.length > LONGEST_GLOB) return () => false
  // `**/**/` matches the same as `**/`.
  const nodes = parse(glob.replace(/(?<![^/])\*\*\/(?=\*\*(?:\/|$))/g, ''))
  if (nodes === undefined) return (path) => path === glob
  return (path) => {
    if (path === '' || path.length > LONGEST_PATH || /(?:^|\/)\.{1,2}(?:\/|$)/.test(path)) return path === glob
    return walk(nodes, new Set([0]), path).has(path.length)
  }
}

/** All places that can be reached from the given ones. */
function walk(nodes: readonly Node[], from: ReadonlySet<number>, path: string): ReadonlySet<number> {
  let places = from
  for (const node of nodes) {
    if (places.size === 0) return places
    places = step(node, places, path)
  }
  return places
}

function step(node: Node, from: ReadonlySet<number>, path: string): Set<number> {
  const reached = new Set<number>()
  switch (node.type) {
    case 'char':
      for (const at of from) if (at < path.length && node.is(path[at]!)) reached.add(at + 1)
      return reached
    case 'star':
      for (const at of [...from].sort((a, b) => a - b))
        for (let to = at; !reached.has(to); to++) {
          // A name that is only `*` has at least one letter.
          if (to > at || !isAlone(path, at)) reached.add(to)
          if (to >= path.length || path[to] === '/') break
        }
      return reached
    case 'folders':
      for (const at of [...from].sort((a, b) => a - b)) {
        for (let to = at; to <= path.length && !reached.has(to); to++)
          if (to === at || path[to - 1] === '/') reached.add(to)
      }
      return reached
    case 'any of':
      return choose(node, from, path)
  }
}

/** Whether the name at this place is empty. */
function isAlone(path: string, at: number): boolean {
  return (at === 0 || path[at - 1] === '/') && (at === path.length || path[at] === '/')
}

function choose(node: Node & { type: 'any of' }, from: ReadonlySet<number>, path: string): Set<number> {
  const once = (places: ReadonlySet<number>) => new Set(node.ways.flatMap((way) => [...walk(way, places, path)]))
  if (node.repeat === '!') {
    const reached = new Set<number>()
    for (const at of from) {
      const taken = once(new Set([at]))
      for (let to = at; to <= path.length; to++) {
        if (!taken.has(to)) reached.add(to)
        if (path[to] === '/') break
      }
    }
    return reached
  }
  const reached = once(from)
  if (node.repeat === '*' || node.repeat === '+') {
    for (let fresh: ReadonlySet<number> = reached; fresh.size > 0; ) {
      fresh = new Set([...once(fresh)].filter((at) => !reached.has(at)))
      for (const at of fresh) reached.add(at)
    }
  }
  if (node.repeat === '?' || node.repeat === '*') for (const at of from) reached.add(at)
  return reached
}

/** Undefined for what is nested too deep to be meant. */
function parse(glob: string): Node[] | undefined {
  let at = 0
  const row = (closing: string, depth: number): Node[][] | undefined => {
    if (depth > DEEPEST) return undefined
    const ways: Node[][] = [[]]
    const separator = closing === '}' ? ',' : '|'
    for (; at < glob.length; at++) {
      const char = glob[at]!
      const last = ways.at(-1)!
      if (closing !== '' && char === closing) return ways
      if (closing !== '' && char === separator) ways.push([])
      else if (char === '\\' && at + 1 < glob.length) last.push(letter(glob[++at]!))
      else if ('@?*+!'.includes(char) && glob[at + 1] === '(' && closes(glob, at + 1, '(', ')')) {
        at += 2
        const inner = row(')', depth + 1)
        if (!inner) return undefined
        last.push({ type: 'any of', ways: inner, repeat: char === '@' ? '' : (char as '?' | '*' | '+' | '!') })
      } else if (char === '{' && closes(glob, at, '{', '}')) {
        at++
        const inner = row('}', depth + 1)
        if (!inner) return undefined
        last.push({ type: 'any of', ways: inner, repeat: '' })
      } else if (char === '[') {
        const set = bracket(glob, at)
        if (set) at = set.end
        last.push(set ? { type: 'char', is: set.is } : letter('['))
      } else if (char === '*') stars(last)
      else if (char === '?') last.push({ type: 'char', is: (one) => one !== '/' })
      else last.push(letter(char))
    }
    return ways
  }
  const stars = (before: Node[]) => {
    const start = at
    while (glob[at + 1] === '*') at++
    const isName = (start === 0 || glob[start - 1] === '/') && (at + 1 === glob.length || glob[at + 1] === '/')
    if (at === start || !isName) before.push({ type: 'star' })
    else if (at + 1 < glob.length) {
      // `**/`: the slash is part of the node.
      at++
      before.push({ type: 'folders' })
    } else {
      const slash = before.pop()
      const below: Node[] = [...(slash ? [slash] : []), { type: 'folders' }, { type: 'star' }]
      // `src/**` at the end of a glob matches `src` itself as well.
      const isNamed = slash !== undefined && glob[start - 2] !== '*'
      before.push({ type: 'any of', ways: isNamed ? [[], below] : [below], repeat: '' })
    }
  }
  return row('', 0)?.[0]
}

function letter(wanted: string): Node {
  return { type: 'char', is: (one) => one === wanted }
}

function closes(glob: string, open: number, left: string, right: string): boolean {
  let depth = 0
  for (let at = open; at < glob.length; at++) {
    if (glob[at] === '\\') at++
    else if (glob[at] === left) depth++
    else if (glob[at] === right && --depth === 0) return true
  }
  return false
}

/** `[a-z]`, `[^abc]`; undefined where it does not close. */
function bracket(glob: string, open: number): { is(one: string): boolean; end: number } | undefined {
  let at = open + 1
  const isNegated = glob[at] === '^'
  if (isNegated) at++
  const spans: [string, string][] = []
  for (const first = at; at < glob.length && (glob[at] !== ']' || at === first); at++) {
    if (glob[at] === '\\') at++
    const low = glob[at] ?? '\\'
    const isSpan = glob[at + 1] === '-' && at + 2 < glob.length && glob[at + 2] !== ']'
    spans.push([low, isSpan ? glob[at + 2]! : low])
    if (isSpan) at += 2
  }
  if (at >= glob.length) return undefined
  const has = (one: string) => spans.some(([low, high]) => low <= one && one <= high)
  return { is: (one) => one !== '/' && has(one) !== isNegated, end: at }
}
