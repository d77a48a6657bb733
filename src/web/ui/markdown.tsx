import { Lexer, type Token, type Tokens } from 'marked'
import { Fragment, useMemo } from 'react'
import { hostOf } from './host.ts'
import { Capped } from './small.tsx'

/** Signs that nest hundreds deep: the lexer and the renderer would recurse as deep. Shown as text instead. */
const TANGLED = /[>[(*_!~]{200}|(?:[-+*>] {1,4}){50}/

/** Markdown of agents and repositories as elements. Nothing is ever set as HTML: what is no Markdown stands there as text. */
export function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => (text.length > 60_000 || TANGLED.test(text) ? undefined : Lexer.lex(text)), [text])
  if (!tokens)
    return (
      <p className="quote">
        <Capped text={text} most={4_000} />
      </p>
    )
  return <div className="markdown">{blocks(tokens)}</div>
}

function blocks(tokens: Token[]): React.ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
  return tokens.map((token, index) => <Fragment key={index}>{block(token)}</Fragment>)
}

function block(token: Token): React.ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return null
    case 'heading':
      return <h3>{inline(token.tokens)}</h3>
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>
    case 'code':
      return (
        <pre>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote className="quote">{blocks(token.tokens ?? [])}</blockquote>
    case 'list': {
      const list = token as Tokens.List
      const items = list.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a text have no other name
        <li key={index} {...(item.task && { className: 'task' })}>
          {item.task && <span aria-hidden="true">{item.checked ? '☑ ' : '☐ '}</span>}
          {item.task && <span className="hidden-label">{item.checked ? 'done: ' : 'open: '}</span>}
          {blocks(item.tokens)}
        </li>
      ))
      return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>
    }
    case 'table': {
      const table = token as Tokens.Table
      return (
        <table>
          <thead>
            <tr>
              {table.header.map(({ tokens, text }) => (
                <th key={text}>{inline(tokens)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a text have no other name
              <tr key={at}>
                {row.map(({ tokens }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells stand still
                  <td key={index}>{inline(tokens)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )
    }
    case 'hr':
      return <hr />
    case 'text':
      return 'tokens' in token && token.tokens ? inline(token.tokens) : token.text
    default:
      return <p>{token.raw}</p>
  }
}

function inline(tokens: Token[] = []): React.ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
  return tokens.map((token, index) => <Fragment key={index}>{piece(token)}</Fragment>)
}

function piece(token: Token): React.ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>
    case 'em':
      return <em>{inline(token.tokens)}</em>
    case 'del':
      return <del>{inline(token.tokens)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return <Away href={(token as Tokens.Link).href}>{inline(token.tokens)}</Away>
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens ? inline(token.tokens) : token.text
    default:
      return token.raw
  }
}

/** A link to elsewhere: it says where it leads, and only the web's own kinds are links at all. */
export function Away({ href, children }: { href: string; children: React.ReactNode }) {
  if (!/^https?:\/\//i.test(href)) return <>{children}</>
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
        {children}
      </a>{' '}
      <span className="faint small">({hostOf(href)})</span>
    </>
  )
}
