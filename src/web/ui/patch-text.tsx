import { plainly } from './plain.ts'

const LINE = { '+': 'added', '-': 'removed', ' ': 'context', '@': 'hunk' } as const

/** Text that may be a diff: what comes and what goes is told apart by sign and colour. Any other text is shown as it is. */
export function PatchText({ text: given }: { text: string }) {
  const text = plainly(given)
  if (!/^--- .*\n\+\+\+ /m.test(text)) return <pre className="log">{text}</pre>
  const lines = text.split('\n').filter((line) => !/^(?:---|\+\+\+) /.test(line))
  return (
    <div className="diff">
      <section className="diff-code" tabIndex={0} aria-label="What would change">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff have no other name
          <div key={index} className={`diff-line ${LINE[line[0] as keyof typeof LINE] ?? 'context'}`}>
            <span className="at" />
            <span aria-hidden="true">{line[0] === '-' ? '−' : line[0]}</span>
            <span>{line.slice(1) || ' '}</span>
          </div>
        ))}
      </section>
    </div>
  )
}
