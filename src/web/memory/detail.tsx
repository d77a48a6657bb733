import { useState } from 'react'
import { Link } from 'wouter'
import { actLater } from '../api/actions.ts'
import { useAsk } from '../api/queries.ts'
import { EditButton } from '../ui/editor.tsx'
import { plural, shortId } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { Menu } from '../ui/menu.tsx'
import { Ago, Marked, Path, Skeleton } from '../ui/small.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { HOW_USED, type MemoryEntry } from './derive-memory.ts'
import { MemoryEditor } from './editor.tsx'

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
  // Undefined until it was edited.
  const [isEditing, setEditing] = useState<boolean>()
  const entry = data ?? known
  if (error) return <Trouble error={error} what="This memory" />
  if (!entry) return <Skeleton rows={4} />
  if (isEditing) return <MemoryEditor entry={entry} onClose={() => setEditing(false)} />
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
        <EditButton isBack={isEditing === false} onClick={() => setEditing(true)} />
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
        {entry.usefulness.shown > 0 && <Uses id={entry.id} />}
      </section>
      {entry.tags.length > 0 && (
        <section className="part">
          <h3>Tags</h3>
          <p className="row">
            {entry.tags.map((tag) => (
              <span key={tag} className="tag">
                {tag}
              </span>
            ))}
          </p>
        </section>
      )}
    </article>
  )
}

const USES = 6

/** Why it was injected: to which agents, for which reason, and what they did with it. */
function Uses({ id }: { id: string }) {
  const { data } = useAsk('memories', 'uses', { params: { id } })
  const [isWhole, setWhole] = useState(false)
  if (!data) return <Skeleton rows={1} />
  const isLong = data.uses.length > USES
  return (
    <>
      <ul className="brief" aria-label="Why it was injected">
        {data.uses.slice(0, isWhole ? undefined : USES).map(({ sessionId, goal, why, shownAt, usedAt, how }) => (
          <li key={sessionId}>
            <Mark shape={usedAt === undefined ? 'open' : 'done'} />
            <div>
              <Link href={`/agents/${sessionId}`} className="text two-lines">
                {goal ?? `agent ${shortId(sessionId)}`}
              </Link>
              <span className="faint text">
                {why ?? 'given at the beginning of its work'};{' '}
                {usedAt === undefined ? 'not used' : HOW_USED[how ?? 'words']}
              </span>
            </div>
            <span className="faint">
              <Ago at={shownAt} />
            </span>
          </li>
        ))}
      </ul>
      {isLong && (
        <button type="button" className="link small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${data.uses.length}`}
        </button>
      )}
    </>
  )
}
