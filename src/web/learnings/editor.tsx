import { act } from '../api/actions.ts'
import { refresh } from '../api/queries.ts'
import { Editor, Field } from '../ui/editor.tsx'
import { fits, TooLong } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'
import type { Learning } from './derive-learnings.ts'

/** As many letters as each may have. */
const SUMMARY = 200
const DETAIL = 2_000

/** Puts a learning right where it stands. */
export function LearningEditor({ learning, onClose }: { learning: Learning; onClose(): void }) {
  const known = { summary: learning.summary, detail: learning.detail, tags: learning.tags.join(', ') }
  const [draft, setDraft] = useStored(`grove.draft.learning.${learning.id}`, known)
  const set = (change: Partial<typeof known>) => setDraft({ ...draft, ...change })
  const close = () => {
    setDraft(undefined)
    onClose()
  }
  const save = async () => {
    const tags = draft.tags
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean)
    const input = {
      params: { id: learning.id },
      query: { project: learning.project.id },
      body: { summary: draft.summary, detail: draft.detail, tags },
    }
    const done = await act('learnings', 'edit', input, { label: 'Edit of a learning' })
    if ('refused' in done) return
    refresh(['learnings'])
    close()
  }
  return (
    <Editor
      title="Edit learning"
      save="Save"
      isChanged={(Object.keys(known) as (keyof typeof known)[]).some((field) => draft[field] !== known[field])}
      isComplete={draft.summary.trim() !== '' && fits(draft.summary, SUMMARY) && fits(draft.detail, DETAIL)}
      onSave={() => void save()}
      onClose={close}
    >
      <Field label="Summary" id="summary">
        <input
          id="summary"
          className="input"
          value={draft.summary}
          onChange={({ target }) => set({ summary: target.value })}
        />
        <TooLong text={draft.summary} most={SUMMARY} />
      </Field>
      <Field label="Detail" id="detail">
        <textarea
          id="detail"
          className="input"
          rows={6}
          value={draft.detail}
          onChange={({ target }) => set({ detail: target.value })}
        />
        <TooLong text={draft.detail} most={DETAIL} />
      </Field>
      <Field label="Tags" hint="Separated by commas" id="tags">
        <input id="tags" className="input" value={draft.tags} onChange={({ target }) => set({ tags: target.value })} />
      </Field>
    </Editor>
  )
}
