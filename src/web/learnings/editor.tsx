import { act } from '../api/actions.ts'
import { refresh } from '../api/queries.ts'
import { Button } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'
import type { Learning } from './derive-learnings.ts'

/** Puts a learning right where it stands. */
export function LearningEditor({ learning, onClose }: { learning: Learning; onClose(): void }) {
  const [draft, setDraft] = useStored(`grove.draft.learning.${learning.id}`, {
    summary: learning.summary,
    detail: learning.detail,
    tags: learning.tags.join(', '),
  })
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
    setDraft(undefined)
    refresh(['learnings'])
    onClose()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <h2>Edit learning</h2>
      <div className="field">
        <label htmlFor="summary">Summary</label>
        <input
          id="summary"
          className="input"
          maxLength={200}
          value={draft.summary}
          onChange={({ target }) => setDraft({ ...draft, summary: target.value })}
        />
      </div>
      <div className="field">
        <label htmlFor="detail">Detail</label>
        <textarea
          id="detail"
          className="input"
          rows={6}
          maxLength={2000}
          value={draft.detail}
          onChange={({ target }) => setDraft({ ...draft, detail: target.value })}
        />
      </div>
      <div className="field">
        <label htmlFor="tags">
          Tags <span className="faint">with commas between</span>
        </label>
        <input
          id="tags"
          className="input"
          value={draft.tags}
          onChange={({ target }) => setDraft({ ...draft, tags: target.value })}
        />
      </div>
      <div className="dialog-actions">
        <Button
          look="quiet"
          onClick={() => {
            setDraft(undefined)
            onClose()
          }}
        >
          Throw the changes away
        </Button>
        <Button look="primary" type="submit">
          Save
        </Button>
      </div>
    </form>
  )
}
