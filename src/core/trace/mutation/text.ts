/** In these the indentation is part of what is said. */
const INDENTED = /(^|[/.])(makefile|gnumakefile|mk|py|pyi|yaml|yml|haml|pug|slim|sass|styl|coffee|nim|hs|elm|fs|rst)$/i

const SQL =
  /--[^\n]*|\/\*(?![!+])[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$(\w*)\$[\s\S]*?\$\1\$|[\p{L}\p{N}_$.]+|\S/gu

/** Databases take words without quotes for the same in any case. */
function plainSql(text: string): string {
  const tokens = (text.match(SQL) ?? []).filter((token) => !/^(--|\/\*)/.test(token))
  return tokens.map((token) => (/^['"`$]/.test(token) ? token : token.toLowerCase())).join(' ')
}

/** A text of no known language without its layout. */
export function plainText(text: string, path: string): string {
  if (/\.sql$/i.test(path)) return plainSql(text)
  if (!INDENTED.test(path)) return text.replace(/\s+/g, ' ').trim()
  const lines = text.split('\n').map((line) => line.trimEnd())
  return lines.filter((line) => line !== '').join('\n')
}

const TOKENS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\p{L}\p{N}_$]+|\S/gu

/** A program that does not parse, as its words and signs; separators that formatters add and drop are left out. */
export function plainTokens(text: string, path: string): string {
  if (INDENTED.test(path)) return plainText(text, path)
  const tokens = text.match(TOKENS) ?? []
  return tokens
    .filter((token, at) => token !== ';' && !(token === ',' && /^[)\]}>]$/.test(tokens[at + 1] ?? '')))
    .map((token) => (/^["']/.test(token) ? `"${token.slice(1, -1)}"` : token))
    .join(' ')
}
