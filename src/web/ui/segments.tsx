import { useLayoutEffect, useRef } from 'react'

interface Choice<T extends string> {
  value: T
  label: React.ReactNode
  count?: number | string | undefined
}

interface Props<T extends string> {
  label: string
  value: T
  choices: readonly Choice<NoInfer<T>>[]
  onChoose(value: NoInfer<T>): void
  /** The id of the panel that shows the chosen one. */
  panel?: string
}

/** A row of views to choose from; the arrows move to where they point, Home and End to its ends, as in every tab list. */
export function Segments<T extends string>({ label, value, choices, onChoose, panel }: Props<T>) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: React.KeyboardEvent) => {
    const onward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const at = choices.findIndex((choice) => choice.value === value)
    const next = {
      ArrowRight: (at + onward + choices.length) % choices.length,
      ArrowLeft: (at - onward + choices.length) % choices.length,
      Home: 0,
      End: choices.length - 1,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    onChoose(choices[next]!.value)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  // On a phone the row may be wider than the page; the page itself must not move. Counts that come later widen it.
  const counts = choices.map(({ count }) => count).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the chosen one is depends on these
  useLayoutEffect(() => {
    const row = list.current!
    const chosen = row.querySelector<HTMLElement>('[aria-selected="true"]')
    if (chosen) row.scrollLeft = chosen.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2
  }, [value, counts])
  return (
    <div className="segments" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="tab"
          aria-selected={choice.value === value}
          aria-controls={panel}
          tabIndex={choice.value === value ? 0 : -1}
          onClick={() => onChoose(choice.value)}
        >
          {choice.label}
          {choice.count !== undefined && <span className="faint"> {choice.count}</span>}
        </button>
      ))}
    </div>
  )
}
