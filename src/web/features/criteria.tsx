import { Mark } from '../ui/mark.tsx'
import { Button } from '../ui/small.tsx'
import { criteriaOf, type FormDraft, TYPE_WORDS } from './derive-form.ts'

interface Props {
  criteria: FormDraft['criteria']
  /** One that is being written. */
  criterion: string
  onChange(change: Partial<Pick<FormDraft, 'criteria' | 'criterion'>>): void
  problem: string | undefined
}

/** When the feature is done: the usual ones, and own ones. */
export function Criteria({ criteria, criterion, onChange, problem }: Props) {
  const change = (index: number, one: Partial<FormDraft['criteria'][number]>) =>
    onChange({ criteria: criteria.map((old, at) => (at === index ? { ...old, ...one } : old)) })
  const add = () => onChange({ criteria: criteriaOf({ criteria, criterion }), criterion: '' })
  return (
    <fieldset className="field" id="acceptanceCriteria" tabIndex={-1}>
      <legend>Acceptance criteria</legend>
      <ul className="criteria">
        {criteria.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same words may stand there twice
          <li key={index}>
            <label>
              <input
                type="checkbox"
                checked={one.checked}
                onChange={({ target }) => change(index, { checked: target.checked })}
              />
              <span className="text">{one.text}</span>
            </label>
            {one.isOwn ? (
              <>
                <label className="small">
                  <span className="hidden-label">How “{one.text}” is checked</span>
                  <select
                    className="input"
                    value={one.type}
                    onChange={({ target }) => change(index, { type: target.value as typeof one.type })}
                  >
                    {(Object.keys(TYPE_WORDS) as (keyof typeof TYPE_WORDS)[]).map((type) => (
                      <option key={type} value={type}>
                        {TYPE_WORDS[type]}
                      </option>
                    ))}
                  </select>
                </label>
                <Button
                  look="quiet"
                  icon="close"
                  aria-label={`Remove “${one.text}”`}
                  onClick={() => onChange({ criteria: criteria.filter((_, at) => at !== index) })}
                />
              </>
            ) : (
              <span className="small faint">{TYPE_WORDS[one.type]}</span>
            )}
          </li>
        ))}
      </ul>
      <div className="row" style={{ marginTop: 8, flexWrap: 'nowrap' }}>
        <input
          className="input"
          aria-label="Another criterion"
          placeholder="Another criterion"
          maxLength={500}
          value={criterion}
          onChange={({ target }) => onChange({ criterion: target.value })}
          onKeyDown={(event) => {
            // The Enter that ends the writing of a word in another script is not meant for the form.
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            add()
          }}
        />
        <Button onClick={add}>Add</Button>
      </div>
      {problem && (
        <p className="problem" role="alert">
          <Mark shape="wrong" />
          {problem}
        </p>
      )}
    </fieldset>
  )
}
