/** Turns a glob into a test of whole paths; wildcards match dotfiles too. */
export type CompileGlob = (pattern: string) => (path: string) => boolean

/** Whether a path belongs to an intent, and which line of its scope decided. */
export interface ScopeAnswer {
  allowed: boolean
  /** Absent when no line speaks of the path at all. */
  by?: string
}

export interface ScopeOptions {
  /** For disks that take `A` and `a` for the same name. */
  caseInsensitive?: boolean
  /**
   * What is written there. `folder`: only the folder itself, which may be needed on the way to something in scope;
   * `tree`: everything below it, which is in scope only when all that could ever lie there is.
   */
  extent?: 'file' | 'folder' | 'tree'
}

/** Answers for a path relative to the project, with forward slashes and dots folded. */
export type InScope = (ownedScope: readonly string[], path: string, options?: ScopeOptions) => ScopeAnswer

/**
 * The rules of `owned_scope`, line after line; the last line that matches wins.
 * - `src/auth` is that file or folder with all that lies below; so is any pattern that ends in a name or a slash.
 * - `src/*.ts` and other globs match from the project's root; `**` crosses folders, `*` does not.
 * - `!…` takes away again. Without a slash (`!*.test.ts`) it does so wherever such a file lies.
 */
export function scopeMatcher(compile: CompileGlob): InScope {
  const lines = new Map<string, Line>()
  const lineOf = (pattern: string): Line => {
    const ready = lines.get(pattern) ?? toLine(pattern, compile)
    lines.set(pattern, ready)
    return ready
  }

  return (ownedScope, path, { caseInsensitive = false, extent = 'file' } = {}) => {
    const spell = (text: string) => (caseInsensitive ? text.toLowerCase() : text)
    const wanted = spell(path.normalize('NFC'))
    if (LEAVES_PROJECT.test(wanted)) return { allowed: false }
    let answer: ScopeAnswer = { allowed: false }
    for (const pattern of ownedScope) {
      const line = lineOf(spell(pattern))
      if (DECIDES[extent](line, wanted === '.' ? '' : wanted)) answer = { allowed: !line.negated, by: pattern }
    }
    return answer
  }
}

const LEAVES_PROJECT = /^\/|(^|\/)\.\.(\/|$)|\0/

interface Line {
  negated: boolean
  /** What every matching path starts with: most lines are ruled out by it, without compiling their glob. */
  prefix: string
  isPlain: boolean
  /** There are folders between the prefix and what the glob matches. */
  isDeep: boolean
  matches(path: string): boolean
}

const DECIDES = {
  file: (line: Line, path: string) => line.matches(path),
  folder: (line: Line, path: string) => {
    const isOnTheWay = `${line.prefix}/`.startsWith(below(path, '')) || (line.isDeep && path.startsWith(line.prefix))
    return (isOnTheWay && !line.negated) || line.matches(path) || line.matches(below(path, ANYTHING))
  },
  tree: (line: Line, path: string) => (line.negated ? overlaps(line, path) : line.matches(below(path, ANYTHING))),
}

/** A path no ordinary glob is meant for: a line that covers it covers everything. */
const ANYTHING = '\uE000/\uE000.\uE000'

function below(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}

/** Whether the line could match the folder or anything below it. */
function overlaps({ prefix, isPlain }: Line, folder: string): boolean {
  const start = isPlain ? `${prefix}/` : prefix
  return below(folder, '').startsWith(start) || start.startsWith(below(folder, ''))
}

function toLine(pattern: string, compile: CompileGlob): Line {
  const negated = pattern.startsWith('!') && !pattern.startsWith('!(')
  const body = (negated ? pattern.slice(1) : pattern)
    .trim()
    .normalize('NFC')
    .replace(/^(\.?\/+)+|^\.$/, '')
  const isPlain = !WILD.test(body)
  const isAnywhere = negated && !isPlain && !body.replace(/\/$/, '').includes('/')
  const glob = isAnywhere ? `**/${body}` : body
  const prefix = literalPrefix(glob)
  let test: ((path: string) => boolean) | undefined
  return {
    negated,
    prefix,
    isPlain,
    isDeep: glob.slice(prefix.length).includes('/'),
    matches: (path) => {
      if (!path.startsWith(prefix)) return false
      test ??= toTest(glob, compile)
      return test(path)
    },
  }
}

const WILD = /[*?{[(]/

function toTest(glob: string, compile: CompileGlob): (path: string) => boolean {
  const name = glob.replace(/(?<!\/)\/+$/, '')
  if (name === '') return () => true
  if (!WILD.test(name)) return (path) => path === name || path.startsWith(`${name}/`)
  const coversBelow = glob.endsWith('/') || !/[*?{]/.test(name.slice(name.lastIndexOf('/') + 1))
  // Folders are really called `[id]` and `(group)` in some frameworks, so brackets match as letters too.
  const spellings = /[[(]/.test(name) ? [name, name.replace(/[()[\]]/g, '\\$&')] : [name]
  const tests = spellings
    .flatMap((each) => (coversBelow ? [each, `${each}/**`] : [each]))
    // What lies below a folder is not the folder itself.
    .map((each) => compile(each.replace(/\/\*\*$/, '/**/*')))
  return (path) => tests.some((matches) => matches(path))
}

/** The letters before the first wildcard. */
function literalPrefix(glob: string): string {
  const wild = glob.search(/[*?{[(\\!+@]/)
  return wild < 0 ? glob.replace(/(?<!\/)\/+$/, '') : glob.slice(0, wild)
}

/** A glob that is not counted from the project's root, or climbs out of it: nothing in the project is ever meant by it. */
export function leavesProject(glob: string): boolean {
  const path = glob.trim().replace(/^!/, '')
  if (/^(?:[/\\~]|[A-Za-z]:[\\/])/.test(path)) return true
  let depth = 0
  for (const part of path.split('/')) {
    if (part === '..') depth--
    else if (part !== '' && part !== '.') depth++
    if (depth < 0) return true
  }
  return false
}
