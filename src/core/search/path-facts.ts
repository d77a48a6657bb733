/** What a path says by itself, whatever is asked. */
import { baseName, pathTerms } from './terms.ts'

export interface PathFacts {
  /** In lower case. */
  name: string
  folder: string
  /** A test and what it tests share this name: test_tmpdir.py, tmpdir.test.ts and tmpdir.py. */
  subject: string
  kind: Kind
  depth: number
  /** Ways to name it in code: `core.concat`, `core/concat` and `core::concat` are core/concat.py. */
  modules: string[]
  /** What it is found by: all of it, its name without the ending, its folder. */
  terms: { path: string[]; name: string[]; folder: string[] }
}

type Kind = 'source' | 'test' | 'docs' | 'config' | 'other'

const known = new Map<string, PathFacts>()
const MOST_KNOWN = 20_000

/** Remembered, since a project's work comes back to the same few hundred paths. */
export function factsOf(path: string): PathFacts {
  const remembered = known.get(path)
  if (remembered) return remembered
  if (known.size >= MOST_KNOWN) known.clear()
  const name = baseName(path)
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const facts = {
    name: name.toLowerCase(),
    folder,
    subject: subjectName(name),
    kind: kindOf(path.toLowerCase()),
    depth: path.split('/').length,
    modules: modulesOf(path),
    terms: { path: pathTerms(path), name: pathTerms(stripEnding(name)), folder: pathTerms(folder) },
  }
  known.set(path, facts)
  return facts
}

function modulesOf(path: string): string[] {
  const parts = stripEnding(path.toLowerCase()).split('/').slice(-2)
  return parts.length === 2 ? ['.', '/', '::'].map((joint) => parts.join(joint)) : []
}

const stripEnding = (path: string) => path.replace(/\.\w+$/, '')

function subjectName(name: string): string {
  const bare = name.toLowerCase().replace(/(\.d)?\.\w+$/, '')
  return bare.replace(/^tests?_|([._-](tests?|spec|unit|integration))+$/g, '')
}

const TEST =
  /(^|\/)(tests?|testing|testdata|spec|__tests__|fixtures)(\/|$)|(_test|\.test|\.spec|-test|_spec)[.-]|(^|\/)test_/
const DOCS = /\.(md|mdx|rst|txt|adoc|html)$|(^|\/)(docs?|changelog|changes|news)(\/|\.|$)|(^|\/)(authors|license)$/
const CONFIG = /\.(json|ya?ml|toml|lock|cfg|ini|sum|mod|xml|gradle)$|(^|\/)\.|(^|\/)(makefile|dockerfile)/
const SOURCE =
  /\.(go|rs|py|[cm]?[jt]sx?|java|rb|php|cc?|cpp|cxx|hh?|hpp|cs|kts?|swift|scala|exs?|erl|lua|sh|vue|svelte|dart|zig|hs|mli?|clj|sol|pl|r|jl|m|mm|sql)$/

function kindOf(lower: string): Kind {
  if (TEST.test(lower)) return 'test'
  if (DOCS.test(lower)) return 'docs'
  if (CONFIG.test(lower)) return 'config'
  return SOURCE.test(lower) ? 'source' : 'other'
}
