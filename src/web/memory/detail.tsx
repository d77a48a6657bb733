import { useState } from 'react'
import { Link } from 'wouter'
import { act, actLater } from '../api/actions.ts'
import { refresh, useAsk } from '../api/queries.ts'
import { plural, shortId } from '../ui/format.ts'
import { Menu } from '../ui/menu.tsx'
import { Ago, Button, Marked, Path, Skeleton } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'
import { toast } from '../ui/toasts.ts'
import { Trouble } from '../ui/trouble.tsx'
import { type Draft, draftOf, editOf, type MemoryEntry } from './derive-memory.ts'

interface Props {
  id: string
  known: MemoryEntry | undefined
  nameOf(projectId: string): string
  words: string[]
  why: string | undefined
  onGone(): void
}

export function MemoryDetail({ id, known, nameOf, words, why, onGone }: Props) {
  const { data, error } = useAsk('memories', 'show', { params: { id } })
  const [isEditing, setEditing] = useState(false)
  const entry = data ?? known
  if (error) return <Trouble error={error} what="This memory" />
  if (!entry) return <Skeleton rows={4} />
  if (isEditing) return <Editor entry={entry} onClose={() => setEditing(false)} />
  const remove = () => {
    actLater('memories', 'remove', { params: { id: entry.id } }, { label: 'Memory deleted, for the whole team' })
    onGone()
  }
  return (
    <article>
      <header className="page-head">
        <div className="grow">
          <h1>
            <Marked text={entry.goal} words={words} />
          </h1>
          <p className="facts">
            <span className="mono" title={entry.projectId}>
              {nameOf(entry.projectId)}
            </span>
            {entry.user && <span>{entry.user}</span>}
            {entry.sessionId && (
              <Link href={`/agents/${entry.sessionId}`} className="mono">
                agent {shortId(entry.sessionId)}
              </Link>
            )}
            <Ago at={entry.createdAt} />
            {entry.branch && <span className="mono">{entry.branch}</span>}
          </p>
        </div>
        <Button onClick={() => setEditing(true)}>Edit</Button>
        <Menu
          label="More about this memory"
          items={[{ label: 'Delete, for the whole team', run: remove, danger: true }]}
        />
      </header>
      {why && (
        <section className="part">
          <h3>Why it was found</h3>
          <p className="text">
            <Marked text={why} words={words} />
          </p>
        </section>
      )}
      {entry.instruction !== entry.goal && (
        <section className="part">
          <h3>What was asked</h3>
          <p className="quote">{entry.instruction}</p>
        </section>
      )}
      {entry.reasoningTrace.length > 0 && (
        <section className="part">
          <h3>How it was reasoned</h3>
          <ol className="numbered text">
            {entry.reasoningTrace.map((line) => (
              <li key={line}>
                <Marked text={line} words={words} />
              </li>
            ))}
          </ol>
        </section>
      )}
      {entry.decisions.length > 0 && (
        <section className="part">
          <h3>Decisions</h3>
          <table>
            <thead>
              <tr>
                <th scope="col">Decision</th>
                <th scope="col">Because</th>
              </tr>
            </thead>
            <tbody>
              {entry.decisions.map(({ choice, reason }) => (
                <tr key={choice}>
                  <td className="text">
                    <Marked text={choice} words={words} />
                  </td>
                  <td className="text">
                    <Marked text={reason} words={words} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {entry.constraints.length > 0 && (
        <section className="part">
          <h3>Limits</h3>
          <ul className="text">
            {entry.constraints.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </section>
      )}
      {entry.files.length > 0 && (
        <section className="part">
          <h3>Files</h3>
          <ul>
            {entry.files.slice(0, 30).map((file) => (
              <li key={file}>
                <Path path={file} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="part">
        <h3>Used</h3>
        <p className="dim">
          {entry.usefulness.shown === 0
            ? 'Not given to an agent yet.'
            : `Given to agents ${plural(entry.usefulness.shown, 'time')}; ${entry.usefulness.used} of them acted on it.`}
          {entry.supersededBy && (
            <>
              {' '}
              A later memory says it better: <Link href={`/memory/${entry.supersededBy}`}>show it</Link>.
            </>
          )}
        </p>
        {entry.tags.length > 0 && (
          <p className="row">
            {entry.tags.map((tag) => (
              <span key={tag} className="tag">
                {tag}
              </span>
            ))}
          </p>
        )}
      </section>
    </article>
  )
}

/** The fields that a person may put right. What is typed is kept until it is saved or thrown away. */
function Editor({ entry, onClose }: { entry: MemoryEntry; onClose(): void }) {
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
