import { useState } from 'react'
import { plural } from './format.ts'
import { plainly } from './visible-text.ts'

/** So many lines are read where they stand; more only when a person wants them. */
const MOST = 60

const LINE = { '+': 'added', '-': 'removed', ' ': 'context', '@': 'hunk' } as const

/** Text that may be a diff: what comes and what goes is told apart by sign and colour. Any other text is shown as it is. */
export function PatchText({ text: given }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const text = plainly(given)
  if (!/^--- .*\n\+\+\+ /m.test(text)) return <pre className="log">{text}</pre>
  const all = text
    .split('\n')
    .filter((line) => !/^(?:---|\+\+\+) /.test(line))
    // Where the only change begins says nothing, nor does an empty line before it.
    .filter((line, index) => index > 0 || !line.startsWith('@@'))
    .filter((line, index) => index > 0 || line.trim() !== '')
  const lines = isWhole ? all : all.slice(0, MOST)
  return (
    <div className="diff unnumbered">
      <section className="diff-code" tabIndex={0} aria-label="What would change">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff have no other name
          <div key={index} className={`diff-line ${LINE[line[0] as keyof typeof LINE] ?? 'context'}`}>
            <span aria-hidden="true">{line[0] === '-' ? '−' : line[0]}</span>
            <span>{line.slice(1) || ' '}</span>
          </div>
        ))}
      </section>
      {all.length > MOST && (
        <button type="button" className="link small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${plural(all.length, 'line')}`}
        </button>
      )}
    </div>
  )
}
