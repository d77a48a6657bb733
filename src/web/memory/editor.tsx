import { act } from '../api/actions.ts'
import { refresh } from '../api/queries.ts'
import { Button } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'
import { toast } from '../ui/toasts.ts'
import { type Draft, draftOf, editOf, type MemoryEntry } from './derive-memory.ts'

/** The fields that a person may put right. What is typed is kept until it is saved or thrown away. */
export function MemoryEditor({ entry, onClose }: { entry: MemoryEntry; onClose(): void }) {
  const name = `grove.draft.memory.${entry.id}`
  const [draft, setDraft] = useStored<Draft>(name, draftOf(entry))
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const edit = editOf(entry, draft)
  const isChanged = Object.keys(edit).length > 0
  const save = async () => {
    const done = await act('memories', 'edit', { params: { id: entry.id }, body: edit }, { label: 'Edit of a memory' })
    if ('refused' in done) return
    setDraft(undefined)
    if ('sent' in done) toast({ tone: 'go', text: 'Saved, for the whole team.' })
    refresh(['memories'])
    onClose()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) void save()
      }}
    >
      <h2>Edit memory</h2>
      <Field label="Goal" id="goal">
        <textarea
          id="goal"
          className="input"
          value={draft.goal}
          onChange={({ target }) => set({ goal: target.value })}
        />
      </Field>
      <Field label="How it was reasoned" hint="One reason a line" id="trace">
        <textarea
          id="trace"
          className="input"
          rows={6}
          value={draft.reasoningTrace}
          onChange={({ target }) => set({ reasoningTrace: target.value })}
        />
      </Field>
      <Field label="Limits" hint="One a line" id="limits">
        <textarea
          id="limits"
          className="input"
          value={draft.constraints}
          onChange={({ target }) => set({ constraints: target.value })}
        />
      </Field>
      <Field label="Tags" hint="With commas between" id="tags">
        <input id="tags" className="input" value={draft.tags} onChange={({ target }) => set({ tags: target.value })} />
      </Field>
      <div className="dialog-actions">
        <Button
          look="quiet"
          onClick={() => {
            setDraft(undefined)
            onClose()
          }}
        >
          {isChanged ? 'Throw the changes away' : 'Close'}
        </Button>
        <Button look="primary" type="submit" disabled={!isChanged || draft.goal.trim() === ''}>
          Save for the whole team
        </Button>
      </div>
    </form>
  )
}

function Field({ label, hint, id, children }: { label: string; hint?: string; id: string; children: React.ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} {hint && <span className="faint">{hint}</span>}
      </label>
      {children}
    </div>
  )
}
