import { boundedGlob } from '../text/glob.ts'
import { identifierParts, identifiers, stem } from '../text/words.ts'
import { sortOf } from './kinds-of-files.ts'
import type { Target } from './targets.ts'

/** Whether a path is what a target names. */
export function meets(target: Target, path: string): boolean {
  switch (target.is) {
    case 'everything':
      return true
    case 'code':
      return isCode(path) && !sortOf.get('test')!.test(path)
    case 'path':
      return isAt(target.path, path) || liesIn(target.path, path)
    case 'words': {
      if (!target.sorts.every((sort) => sortOf.get(sort)!.test(path) || wordsOf(path).has(stem(sort)))) return false
      const known = wordsOf(path)
      return target.words.every((word) => known.has(word))
    }
  }
}

/** Who removes a folder changes all that lies in it. */
function liesIn(named: string, folder: string): boolean {
  const place = folder.replace(/^\.\//, '').replace(/(?<!\/)\/+$/, '')
  return place === '.' || named.startsWith(`${place}/`)
}

function wordsOf(path: string): Set<string> {
  return new Set(identifiers(path).flatMap(identifierParts).map(stem))
}

function isCode(path: string): boolean {
  // "vite.config.ts" configures a tool, whatever it is written in.
  return (
    !/\.config\.\w{1,4}$|\.(mdx?|rst|txt|adoc|json|ya?ml|toml|ron|lock|cfg|conf|ini|properties|tfvars|sum|mod|csv|tsv|tex|gitkeep|png|jpe?g|gif|svg|webp|ico|po|arb|env)$|(^|\/)(docs?|\.github|\.cursor)\//i.test(
      path,
    ) && /\.\w+$/.test(path)
  )
}

/** Whether a path is, or lies in, a place. A folder holds all below it, wherever in the project it lies; a bare name is that file anywhere. */
export function isAt(named: string, path: string): boolean {
  const bare = named.replace(/(?<!\/)\/+$/, '')
  const target = `/${path.replace(/^\.?\//, '')}`
  if (bare.includes('*')) return isGlobbed(bare.toLowerCase(), target.slice(1).toLowerCase())
  const sought = bare.toLowerCase()
  const within = target.toLowerCase()
  // "C:/work/shop/src/cart.py": a path from outside the project ends as it does inside.
  if (sought.endsWith(within) && within.indexOf('/', 1) > 0 && /\.\w+$/.test(within)) return true
  for (let at = within.indexOf(sought); at >= 0; at = within.indexOf(sought, at + 1)) {
    // "esp32/src" for acme-esp32/src: people leave out what all of their folders begin with.
    if (within[at - 1] !== '/' && !(bare.includes('/') && /[-_]/.test(within[at - 1] ?? ''))) continue
    const next = within[at + sought.length]
    if (next === undefined || next === '/') return true
    // README for README.md, Dockerfile for Dockerfile.dev
    if (next === '.' && !/\.\w+$/.test(bare) && !bare.includes('/')) return true
  }
  return false
}

/** A glob matches wherever in the project it fits, and what lies below it. */
function isGlobbed(named: string, path: string): boolean {
  // People write stars; the other signs are part of names such as `[id]`.
  const glob = named.replace(/[{}()[\]?\\]/g, '\\$&')
  return boundedGlob(`**/${glob}`)(path) || boundedGlob(`**/${glob}/**/*`)(path)
}
