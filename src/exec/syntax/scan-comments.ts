import { Lexer } from 'yaml'

/** Finds comments without a grammar. Strings are stepped over, so that a sign inside one begins nothing. */

export interface Span {
  start: number
  end: number
}

const DOUBLE = String.raw`"(?:\\.|[^"\\\n])*"`
const SINGLE = String.raw`'(?:\\.|[^'\\\n])*'`
const LONG = String.raw`"""[\s\S]*?"""|'''[\s\S]*?'''`
const C_BLOCK = String.raw`\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))`

/** The first group is the comment; whatever else matches is a string. */
const SIGNS: Record<string, RegExp> = {
  slash: new RegExp(`${LONG}|${DOUBLE}|${SINGLE}|\`(?:\\\\.|[^\`\\\\])*\`|((?<!:)\\/\\/[^\\n]*|${C_BLOCK})`, 'g'),
  hash: new RegExp(`${LONG}|${DOUBLE}|${SINGLE}|((?<![^\\s;])#[^\\n]*)`, 'g'),
  dash: new RegExp(`'(?:''|[^'\\n])*'|${DOUBLE}|(--\\[\\[[\\s\\S]*?\\]\\]|--[^\\n]*|${C_BLOCK})`, 'g'),
  markup:
    /<!\[CDATA\[[\s\S]*?\]\]>|<(?:script|style)\b[^>]*>[\s\S]*?<\/(?:script|style)>|(<!--[\s\S]*?(?:-->|$(?![\s\S])))/gi,
}

const BY_EXTENSION: Record<string, string | undefined> = Object.fromEntries(
  Object.entries({
    yaml: 'yaml yml',
    markup: 'html htm xhtml xml svg xsl xsd vue svelte astro plist',
    slash:
      'json jsonc json5 scss sass less styl kt kts swift scala dart groovy gradle proto sol zig m mm fs v graphqls',
    hash: 'toml zsh fish r pl pm ps1 tf hcl ex exs nix jl cmake conf mk graphql gql properties env awk tcl coffee',
    dash: 'sql lua hs elm ada vhd',
  }).flatMap(([kind, extensions]) => extensions.split(' ').map((extension) => [extension, kind])),
)
const BY_NAME =
  /^(?:Dockerfile|Containerfile|Makefile|GNUmakefile|makefile|Justfile|Vagrantfile|Brewfile|\.gitignore|\.env.*)$/

export function hasScan(path: string): boolean {
  return kindOf(path) !== undefined
}

function kindOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
  return BY_NAME.test(name) ? 'hash' : BY_EXTENSION[extension]
}

export function scanComments(path: string, text: string): Span[] {
  const kind = kindOf(path)
  if (kind === 'yaml') return yamlComments(text)
  const signs = kind && SIGNS[kind]
  if (!signs) return []
  return [...text.matchAll(signs)]
    .filter(([, comment]) => comment !== undefined)
    .map(({ 0: comment, index }) => ({ start: index, end: index + comment.length }))
}

/** Tokens are the text cut into pieces, with marks of one letter between; the mark of a scalar says what its piece is. */
function yamlComments(text: string): Span[] {
  const spans: Span[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    const isMark = token === '\x02' || token === '\x18' || token === '\x1F' || token === '\uFEFF'
    if (!isMark) {
      if (!isScalar && token.startsWith('#')) spans.push({ start: at, end: at + token.length })
      at += token.length
    }
    isScalar = token === '\x1F'
  }
  return spans
}

/** Scripts and styles inside a page, each with the name of a file that would be read alike. */
export function embeddedParts(path: string, text: string): { name: string; start: number; text: string }[] {
  if (kindOf(path) !== 'markup') return []
  const parts = text.matchAll(/(<(script|style)\b([^>]*)>)([\s\S]*?)<\/\2>/gi)
  return [...parts].map(({ 1: open, 2: tag, 3: attributes, 4: inner, index }) => {
    const language = /\blang=["']?(\w+)/.exec(attributes!)?.[1] ?? (tag!.toLowerCase() === 'style' ? 'css' : 'ts')
    return { name: `part.${language}`, start: index + open!.length, text: inner! }
  })
}
