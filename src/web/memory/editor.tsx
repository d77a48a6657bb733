import { act } from '../api/actions.ts'
import { refresh } from '../api/queries.ts'
import { Editor, Field } from '../ui/editor.tsx'
import { useStored } from '../ui/stored.ts'
import { toast } from '../ui/toasts.ts'
import { type Draft, draftOf, editOf, type MemoryEntry } from './derive-memory.ts'

/** The fields that a person may put right. What is typed is kept until it is saved or thrown away. */
export function MemoryEditor({ entry, onClose }: { entry: MemoryEntry; onClose(): void }) {
  const name = `grove.draft.memory.${entry.id}`
  const [draft, setDraft] = useStored<Draft>(name, draftOf(entry))
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const edit = editOf(entry, draft)
  const save = async () => {
    const done = await act('memories', 'edit', { params: { id: entry.id }, body: edit }, { label: 'Edit of a memory' })
    if ('refused' in done) return
    setDraft(undefined)
    if ('sent' in done) toast({ tone: 'go', text: 'Saved, for the whole team.' })
    refresh(['memories'])
    onClose()
  }
  const close = () => {
    setDraft(undefined)
    onClose()
  }
  return (
    <Editor
      title="Edit memory"
      save="Save for the whole team"
      isChanged={Object.keys(edit).length > 0}
      isComplete={draft.goal.trim() !== ''}
      onSave={() => void save()}
      onClose={close}
    >
      <Field label="Goal" id="goal">
        <textarea
          id="goal"
          className="input"
          value={draft.goal}
          onChange={({ target }) => set({ goal: target.value })}
        />
      </Field>
      <Field label="How it was reasoned" hint="One per line" id="trace">
        <textarea
          id="trace"
          className="input"
          rows={6}
          value={draft.reasoningTrace}
          onChange={({ target }) => set({ reasoningTrace: target.value })}
        />
      </Field>
      <Field label="Limits" hint="One per line" id="limits">
        <textarea
          id="limits"
          className="input"
          value={draft.constraints}
          onChange={({ target }) => set({ constraints: target.value })}
        />
      </Field>
      <Field label="Tags" hint="Separated by commas" id="tags">
        <input id="tags" className="input" value={draft.tags} onChange={({ target }) => set({ tags: target.value })} />
      </Field>
    </Editor>
  )
}
