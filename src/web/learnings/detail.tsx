import { useState } from 'react'
import { Link } from 'wouter'
import { worthWords } from '#protocol/rejection-words.ts'
import { act } from '../api/actions.ts'
import { refresh } from '../api/queries.ts'
import { EditButton } from '../ui/editor.tsx'
import { Ago, Button, Marked, Path } from '../ui/small.tsx'
import { toast } from '../ui/toasts.ts'
import { type Learning, usageOf } from './derive-learnings.ts'
import { LearningEditor } from './editor.tsx'

/** One learning: read, corrected, set aside, or replaced by another. */
export function LearningDetail({
  learning,
  others,
  words,
}: {
  learning: Learning
  others: Learning[]
  words: string[]
}) {
  // Undefined until it was edited.
  const [isEditing, setEditing] = useState<boolean>()
  if (isEditing) return <LearningEditor learning={learning} onClose={() => setEditing(false)} />
  const change = async (name: 'archive' | 'restore', label: string, said: string) => {
    const input = { params: { id: learning.id }, query: { project: learning.project.id }, body: {} }
    const done = await act('learnings', name, input, { label })
    refresh(['learnings'], ['insights'])
    if (!('sent' in done)) return
    const back = name === 'archive' ? 'restore' : 'archive'
    const undo = () =>
      void act('learnings', back, input, { label: 'Undo' }).then(() => refresh(['learnings'], ['insights']))
    toast({ tone: 'go', text: said, forMs: 7_000, action: { label: 'Undo', run: undo } })
  }
  return (
    <article>
      <header className="page-head">
        <div className="grow">
          <h1>{learning.summary}</h1>
          <p className="facts">
            <span className="tag">{learning.category}</span>
            <span>{learning.scope}</span>
            <span>{learning.confidence} confidence</span>
            <Ago at={learning.at} />
          </p>
        </div>
        <EditButton isBack={isEditing === false} onClick={() => setEditing(true)} />
        {learning.status === 'active' && (
          <Button
            look="quiet"
            onClick={() => void change('archive', 'Archive a learning', 'Set aside. Agents no longer see it.')}
          >
            Set aside
          </Button>
        )}
        {learning.status === 'archived' && (
          <Button
            look="quiet"
            onClick={() => void change('restore', 'Restore a learning', 'Taken back. Agents see it again.')}
          >
            Take back
          </Button>
        )}
      </header>
      <section className="part">
        <p className="text">
          <Marked text={learning.detail} words={words} />
        </p>
      </section>
      <section className="part">
        <h3>Worth keeping because</h3>
        <p>{learning.criteriaMet.map(worthWords).join('; ') || '–'}</p>
      </section>
      <section className="part">
        <h3>Usage</h3>
        <p>{usageOf(learning)}</p>
        {learning.usage?.supersededBy && (
          <p>
            Replaced by <Link href={`/learnings/${learning.usage.supersededBy}`}>a later one</Link>.
          </p>
        )}
        {learning.supersedes && (
          <p>
            Corrects <Link href={`/learnings/${learning.supersedes}?life=superseded`}>an earlier one</Link>.
          </p>
        )}
      </section>
      {learning.status === 'active' && (
        <Replace
          learning={learning}
          others={others.filter(({ id, project }) => id !== learning.id && project.id === learning.project.id)}
        />
      )}
      {learning.contextFiles.length > 0 && (
        <section className="part">
          <h3>Files</h3>
          <ul>
            {learning.contextFiles.map((file) => (
              <li key={file}>
                <Path path={file} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {learning.tags.length > 0 && (
        <section className="part">
          <h3>Tags</h3>
          <p className="row">
            {learning.tags.map((tag) => (
              <span className="tag" key={tag}>
                {tag}
              </span>
            ))}
          </p>
        </section>
      )}
    </article>
  )
}

/** Another learning holds instead of this one. */
function Replace({ learning, others }: { learning: Learning; others: Learning[] }) {
  const [by, setBy] = useState('')
  if (others.length === 0) return null
  const replace = async () => {
    const input = { params: { id: learning.id }, query: { project: learning.project.id }, body: { by } }
    const done = await act('learnings', 'supersede', input, { label: 'Replace a learning' })
    refresh(['learnings'], ['insights'])
    if ('sent' in done) toast({ tone: 'go', text: 'Replaced. Agents are shown the other one.' })
  }
  return (
    <section className="part">
      <h3>Replaced by</h3>
      <div className="row">
        <select
          className="input replace-by"
          aria-label="The learning that holds instead"
          value={by}
          onChange={({ target }) => setBy(target.value)}
        >
          <option value="">nothing: it holds</option>
          {others.map(({ id, summary }) => (
            <option key={id} value={id}>
              {summary}
            </option>
          ))}
        </select>
        <Button disabled={by === ''} onClick={() => void replace()}>
          Show agents that one instead
        </Button>
      </div>
    </section>
  )
}
