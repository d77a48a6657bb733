import { useKeys } from '../shell/keys.ts'
import { Mark, type Shape, type Tone } from './mark.tsx'
import { Button } from './small.tsx'
import { useStore } from './store.ts'
import { closeToast, toasts } from './toasts.ts'

const SHAPES: Record<Tone, Shape> = { go: 'done', wait: 'waits', wrong: 'wrong', rest: 'done' }

export function Toaster() {
  const shown = useStore(toasts)
  const last = shown.findLast(({ action }) => action)
  const undo = () => {
    last?.action?.run()
    if (last) closeToast(last.id)
  }
  useKeys('Everywhere', last?.action ? { z: [last.action.label.toLowerCase(), undo] } : {})
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, tone, text, action }) => (
        <div className="toast" key={id}>
          <Mark shape={SHAPES[tone]} tone={tone} />
          <span className="grow text">{text}</span>
          {action && (
            <button
              type="button"
              className="link"
              onClick={() => {
                action.run()
                closeToast(id)
              }}
            >
              {action.label}
            </button>
          )}
          <Button look="quiet" icon="close" aria-label="Close" onClick={() => closeToast(id)} />
        </div>
      ))}
    </div>
  )
}
