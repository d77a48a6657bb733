import type { TodoItem } from '#protocol/workflow/todos.ts'
import { plural } from '../ui/format.ts'
import { Button, Note, Path } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'
import type { FeatureAction } from './use-feature.ts'

/** Comments that Claude left in the code because they need a decision; deciding them takes the session back to the plan. */
export function Todos({ items, run, sessionId }: { items: TodoItem[]; run: FeatureAction; sessionId: string }) {
  return (
    <section aria-label="Collected items">
      <Note tone="wait">
        {plural(items.length, 'comment')} in the code {items.length === 1 ? 'needs' : 'need'} a decision. With{' '}
        {items.length === 1 ? 'it' : 'them'} the session goes back to the plan review, then on.
      </Note>
      <ul>
        {items.map((item) => (
          <Item key={item.id} item={item} run={run} sessionId={sessionId} />
        ))}
      </ul>
    </section>
  )
}

function Item({ item, run, sessionId }: { item: TodoItem; run: FeatureAction; sessionId: string }) {
  const [option, setOption] = useStored(
    `grove.draft.todo.option.${sessionId}.${item.id}`,
    item.options.find(({ recommended }) => recommended)?.label ?? '',
  )
  const [text, setText] = useStored(`grove.draft.todo.${sessionId}.${item.id}`, '')
  const decide = async (dismiss: boolean) => {
    const done = await run(
      'sessionQuestions',
      'decideTodo',
      {
        dismiss,
        ...(!dismiss && option && { option }),
        ...(!dismiss && text.trim() && { text: text.trim() }),
      } as never,
      { label: 'Decision about a comment', id: item.id },
    )
    if (done !== 'done') return
    setText(undefined)
    setOption(undefined)
  }
  return (
    <li className="question">
      <p className="facts">
        <span className="tag">{item.type.toUpperCase()}</span>
        <span>{item.priority} priority</span>
        <span>{item.category}</span>
        <Path path={`${item.filePath}:${item.lineNumber}`} />
      </p>
      <p className="title">{item.description}</p>
      {item.impact && <p className="context text">{item.impact}</p>}
      <div className="options">
        {item.options.map(({ label, recommended }) => (
          <label className="option" key={label}>
            <input type="radio" name={item.id} checked={option === label} onChange={() => setOption(label)} />
            <span className="text">
              {label} {recommended && <span className="recommended">· recommended</span>}
            </span>
          </label>
        ))}
      </div>
      <textarea
        className="input"
        rows={2}
        aria-label={`In your own words: ${item.description.slice(0, 60)}`}
        placeholder="Or in your own words"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="row" style={{ marginTop: 8 }}>
        <Button onClick={() => void decide(false)} disabled={!option && !text.trim()}>
          Decide and take it into the plan
        </Button>
        <Button look="quiet" onClick={() => void decide(true)}>
          Not worth a decision
        </Button>
      </div>
    </li>
  )
}
