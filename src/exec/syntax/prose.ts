import { lexer, type Token, type Tokens } from 'marked'
import type { ProseBlock } from '#core/trace/mutation/mutation.ts'

/** A Markdown text as its blocks, however it is wrapped, indented or marked up. */
export function proseBlocks(text: string): ProseBlock[] {
  const front = /^---\n(.*?)\n---\n/s.exec(text)
  const body = front ? text.slice(front[0].length) : text
  const blocks = lexer(body).flatMap((token) => {
    const line = block(token)
    return line === '' ? [] : [{ heading: token.type === 'heading', text: line }]
  })
  return front ? [{ heading: false, text: `front matter ${front[1]}` }, ...blocks] : blocks
}

function block(token: Token): string {
  switch (token.type) {
    case 'space':
    case 'def':
      return ''
    case 'heading':
      return `h${token.depth} ${inline(token.tokens)}`
    case 'code':
      return `code ${token.lang ?? ''}\n${token.text}`
    case 'list':
      return list(token as Tokens.List)
    case 'blockquote':
      return `quote ${blocks((token as Tokens.Blockquote).tokens)}`
    case 'table':
      return table(token as Tokens.Table)
    case 'html':
      return token.raw
        .replace(/<!--.*?-->/gs, '')
        .replace(/\s+/g, ' ')
        .trim()
    case 'hr':
      return 'rule'
    default:
      return `text ${inline('tokens' in token ? token.tokens : [token])}`
  }
}

function blocks(tokens: Token[] = []): string {
  return tokens.map(block).filter(Boolean).join(' / ')
}

function list({ ordered, items }: Tokens.List): string {
  const lines = items.map(({ task, checked, tokens }) => `${task ? (checked ? '[x] ' : '[ ] ') : ''}${blocks(tokens)}`)
  return `${ordered ? 'steps' : 'list'} ${lines.map((line) => `<${line}>`).join('')}`
}

function table({ header, align, rows }: Tokens.Table): string {
  const line = (cells: Tokens.TableCell[]) => cells.map((cell) => inline(cell.tokens)).join(' | ')
  return ['table', align.join(' '), line(header), ...rows.map(line)].join('\n')
}

function inline(tokens: Token[] = []): string {
  return tokens.map(span).join('').replace(/\s+/g, ' ').trim()
}

function span(token: Token): string {
  switch (token.type) {
    case 'strong':
      return `**${inline(token.tokens)}**`
    case 'em':
      return `*${inline(token.tokens)}*`
    case 'del':
      return `~~${inline(token.tokens)}~~`
    case 'codespan':
      return `\`${token.text}\``
    case 'link':
      return `[${inline(token.tokens)}](${token.href} ${token.title ?? ''})`
    case 'image':
      return `![${token.text}](${token.href} ${token.title ?? ''})`
    case 'br':
      return ' <br> '
    case 'html':
      return token.raw.startsWith('<!--') ? '' : token.raw
    default:
      return 'tokens' in token && token.tokens ? inline(token.tokens) : token.type === 'escape' ? token.text : token.raw
  }
}
