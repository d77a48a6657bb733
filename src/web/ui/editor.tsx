import { useEffect, useRef } from 'react'
import { Button } from './small.tsx'

interface FieldProps {
  label: string
  hint?: string
  id: string
  children: React.ReactNode
}

export function Field({ label, hint, id, children }: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} {hint && <span className="faint">{hint}</span>}
      </label>
      {children}
    </div>
  )
}

interface EditorProps {
  title: string
  save: string
  isChanged: boolean
  isComplete: boolean
  onSave(): void
  onClose(): void
  children: React.ReactNode
}

/** Opens an editor; where one was closed it has the focus again. */
export function EditButton({ isBack, onClick }: { isBack: boolean; onClick(): void }) {
  return (
    <Button autoFocus={isBack} onClick={onClick}>
      Edit
    </Button>
  )
}

/** A form that puts something right where it stands; what was typed goes when it is closed. */
export function Editor({ title, save, isChanged, isComplete, onSave, onClose, children }: EditorProps) {
  const isReady = isChanged && isComplete
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea')?.focus(), [])
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onSave()
      }}
    >
      <h2>{title}</h2>
      {children}
      <div className="dialog-actions">
        <Button look="quiet" onClick={onClose}>
          {isChanged ? 'Throw the changes away' : 'Close'}
        </Button>
        <Button look="primary" type="submit" disabled={!isReady}>
          {save}
        </Button>
      </div>
    </form>
  )
}
