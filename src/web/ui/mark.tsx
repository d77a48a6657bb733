/** What a colour says: it works, it waits for a person, something is wrong, or nothing of these. */
export type Tone = 'go' | 'wait' | 'wrong' | 'rest'

/** A shape for each state, so that colour never speaks alone. */
export type Shape = 'works' | 'waits' | 'wrong' | 'paused' | 'expired' | 'done' | 'back' | 'refused' | 'open' | 'turn'

const TONES: Record<Shape, Tone> = {
  works: 'go',
  waits: 'wait',
  wrong: 'wrong',
  paused: 'rest',
  expired: 'rest',
  done: 'rest',
  back: 'rest',
  refused: 'wrong',
  open: 'rest',
  turn: 'rest',
}

const SHAPES: Record<Shape, React.ReactNode> = {
  works: (
    <>
      <circle cx="6" cy="6" r="5" fill="none" stroke="currentColor" />
      <circle cx="6" cy="6" r="2.6" fill="currentColor" />
    </>
  ),
  waits: <path d="M6 .8 11.2 6 6 11.2.8 6z" fill="currentColor" />,
  wrong: <path d="M6 1.2 11.4 10.8H.6z" fill="currentColor" />,
  paused: <path d="M3.5 2v8M8.5 2v8" stroke="currentColor" strokeWidth="2" />,
  expired: (
    <>
      <circle cx="6" cy="6" r="4.8" fill="none" stroke="currentColor" strokeWidth="1.3" />
      <path d="M6 3.4V6l1.8 1.2" fill="none" stroke="currentColor" strokeWidth="1.3" />
    </>
  ),
  done: <path d="m1.5 6.5 3 3 6-7" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  back: <path d="M4.5 2 2 4.5 4.5 7M2 4.5h5a3 3 0 0 1 0 6H5" fill="none" stroke="currentColor" strokeWidth="1.4" />,
  refused: (
    <>
      <circle cx="6" cy="6" r="4.8" fill="none" stroke="currentColor" strokeWidth="1.4" />
      <path d="m2.8 9.2 6.4-6.4" stroke="currentColor" strokeWidth="1.4" />
    </>
  ),
  open: <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" strokeWidth="1.4" />,
  turn: <path d="M2 10V5.5a2 2 0 0 1 2-2h6M7.5 1 10 3.5 7.5 6" fill="none" stroke="currentColor" strokeWidth="1.4" />,
}

export function Mark({ shape, tone = TONES[shape] }: { shape: Shape; tone?: Tone }) {
  return (
    <svg className={`mark ${tone}`} viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[shape]}
    </svg>
  )
}

/** A shape with its word. */
export function State({
  shape,
  tone = TONES[shape],
  children,
}: {
  shape: Shape
  tone?: Tone
  children: React.ReactNode
}) {
  return (
    <span className={`state ${tone}`}>
      <Mark shape={shape} tone={tone} />
      {children}
    </span>
  )
}
