import { Fragment, useState } from 'react'
import { CodeWords } from './code-words.tsx'
import { copyText } from './copy.ts'
import { ago, count, moment, since, splitPath } from './format.ts'
import { Icon, type IconName } from './icon.tsx'
import { Mark, type Shape, type Tone } from './mark.tsx'
import { MOD } from './mod-key.ts'
import { useNow } from './now.ts'
import { plainly } from './visible-text.ts'

/** Small pieces without data of their own. */

export function Ago({ at, inWords = false }: { at: number; inWords?: boolean }) {
  const now = useNow()
  return (
    <time className="num" dateTime={new Date(at).toISOString()} title={moment(at)}>
      {(inWords ? since : ago)(at, now)}
    </time>
  )
}

/** A path, cut in the middle: what is told apart is the end. */
export function Path({ path }: { path: string }) {
  const [folder, name] = splitPath(path)
  return (
    <span className="path" title={plainly(path)} dir="ltr">
      {folder && <span>{plainly(folder)}</span>}
      <b>{plainly(name)}</b>
    </span>
  )
}

interface ButtonProps extends React.ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'primary' | 'quiet' | 'danger' | 'quiet danger'
  icon?: IconName
  keys?: string
}

export function Button({ look, icon, keys, className, children, ...rest }: ButtonProps) {
  const classes = ['button', look, !children && 'only-icon', className].filter(Boolean).join(' ')
  return (
    <button type="button" className={classes} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
      {keys && (
        <span className="key" aria-hidden="true">
          {keys.replace('Ctrl', MOD)}
        </span>
      )}
    </button>
  )
}

/** One state, one sentence, and what can be done about it. */
export function Note({ tone = 'rest', shape, children }: { tone?: Tone; shape?: Shape; children: React.ReactNode }) {
  const shapes: Record<Tone, Shape> = { go: 'works', wait: 'waits', wrong: 'wrong', rest: 'open' }
  return (
    <div className={`note ${tone}`} role={tone === 'wrong' ? 'alert' : undefined}>
      <Mark shape={shape ?? shapes[tone]} tone={tone} />
      <div className="note-body">{children}</div>
    </div>
  )
}

/** Placeholder lines, as high as the rows that will stand there. */
export function Skeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div aria-busy="true" role="status">
      <span className="hidden-label">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that stand for nothing yet
        <div className="skeleton-row" key={row} aria-hidden="true">
          <span className="skeleton" style={{ width: `${62 - (row % 3) * 9}%` }} />
          <span className="skeleton" style={{ width: `${38 - (row % 2) * 8}%` }} />
        </div>
      ))}
    </div>
  )
}

/** A text with the words that were searched for marked. */
export function Marked({ text, words }: { text: string; words: string[] }) {
  const wanted = words.filter((word) => word.length > 1).map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  if (wanted.length === 0) return text
  // To the end of the word: half a mark reads badly.
  const parts = text.split(new RegExp(`((?:${wanted.join('|')})[\\p{L}\\p{N}]*)`, 'giu'))
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <mark key={index}>{part}</mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}

export function fits(text: string, most: number): boolean {
  return text.trim().length <= most
}

/** Says how much of a text is too much. A field that takes no more would lose the end of what is pasted. */
export function TooLong({ text, most }: { text: string; most: number }) {
  if (fits(text, most)) return null
  return (
    <p className="problem" role="alert">
      <Mark shape="wrong" />
      At most {count(most)} letters; these are {count(text.trim().length - most)} too many.
    </p>
  )
}

/** A long text, cut until a person wants all of it. */
export function Capped({ text, most = 600 }: { text: string; most?: number }) {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= most * 1.2 || isWhole) return text
  return (
    <>
      {text.slice(0, most)}…{' '}
      <button type="button" className="link faint" onClick={() => setWhole(true)}>
        Show all {text.length.toLocaleString('en-US')} characters
      </button>
    </>
  )
}

export function CopyButton({ text, label = 'Copy' }: { text: string | (() => string); label?: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    if (!(await copyText(typeof text === 'string' ? text : text()))) return
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <Button look="quiet" icon="copy" onClick={() => void copy()}>
      {isCopied ? 'Copied' : label}
    </Button>
  )
}

/** A command to type into a terminal. */
export function Command({ text }: { text: string }) {
  return (
    <div className="command">
      <code tabIndex={0}>
        <CodeWords text={text} />
      </code>
      <CopyButton text={text} />
    </div>
  )
}
