import { useState } from 'react'
import { act } from '../api/actions.ts'
import { refresh } from '../api/queries.ts'
import { Button } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'

/** Asks for the name that stands beside what this person says. */
export function NameForm({ name, action, onDone }: { name: string; action: string; onDone?(): void }) {
  const [text, setText] = useStored('grove.draft.name', name)
  const [problem, setProblem] = useState<string>()
  const save = async () => {
    const done = await act('people', 'name', { body: { name: text } }, { label: 'Your name', quiet: true })
    if ('refused' in done) return setProblem(done.refused.words)
    setProblem(undefined)
    setText(undefined)
    refresh(['people'])
    onDone?.()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="row">
        <input
          className="input name-field"
          aria-label="Your name"
          placeholder="Your name"
          maxLength={60}
          autoComplete="name"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button look="primary" type="submit" disabled={text.trim() === '' || text.trim() === name}>
          {action}
        </Button>
      </div>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
