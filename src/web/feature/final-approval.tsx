import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { useKeys } from '../shell/keys.ts'
import { oneOf } from '../ui/address.ts'
import { hostOf } from '../ui/host.ts'
import { Button } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'
import type { FeatureAction } from './use-feature.ts'

type Choice = 'merge' | 'plan_changes' | 're_review'

const CHOICES: Record<Choice, { label: string; about: string; button: string }> = {
  merge: {
    label: 'It is done',
    about: 'The session is complete. Grove merges nothing; that stays with you.',
    button: 'Complete this feature',
  },
  plan_changes: {
    label: 'Change the plan',
    about: 'Back to the plan review with your words, then implemented again.',
    button: 'Send it back to the plan',
  },
  re_review: {
    label: 'Review the pull request again',
    about: 'Claude looks again, at what you name.',
    button: 'Review again',
  },
}

interface Props {
  snapshot: SessionSnapshot
  run: FeatureAction
  /** Stands in the row of the button. */
  beside?: React.ReactNode
}

/** The last word, with feedback where it goes back. */
export function FinalApproval({ snapshot, run, beside }: Props) {
  const { session, pr, criteria } = snapshot
  const [chosen, setAction] = useStored<Choice>(`grove.draft.final.choice.${session.id}`, 'merge')
  const action = oneOf(chosen, Object.keys(CHOICES) as Choice[], 'merge')
  const [feedback, setFeedback] = useStored(`grove.draft.final.${session.id}`, '')
  const needsWords = action !== 'merge'
  const open = criteria.filter(({ state }) => state === 'for_people' || state === 'failed' || state === 'accepted')
  const send = async () => {
    const done = await run(
      'sessions',
      'finalApproval',
      { action, ...(needsWords && { feedback: feedback.trim() }) } as never,
      { label: CHOICES[action].button },
    )
    if (done !== 'done') return
    setFeedback(undefined)
    setAction(undefined)
  }
  const isReady = !needsWords || feedback.trim() !== ''
  useKeys('Final approval', {
    ...Object.fromEntries(
      (Object.keys(CHOICES) as Choice[]).map((value, index) => [
        String(index + 1),
        [CHOICES[value].label, () => setAction(value)] as const,
      ]),
    ),
    'mod+Enter': ['send the last word', () => isReady && void send()],
  } as Parameters<typeof useKeys>[1])
  return (
    <section aria-label="Final approval" className="stack">
      <h2 className="repeated">Reviewed and checked: the last word is yours</h2>
      {pr.pullRequest?.prUrl && (
        <p>
          <a href={pr.pullRequest.prUrl} target="_blank" rel="noopener noreferrer">
            Pull request #{pr.pullRequest.prNumber}
          </a>{' '}
          <span className="faint small">opens {hostOf(pr.pullRequest.prUrl)}</span>
        </p>
      )}
      {open.length > 0 && (
        <>
          <h3>For you to look at</h3>
          <ul className="numbered dense">
            {open.map(({ text, state, evidence }) => (
              <li key={text} className="text">
                {text}
                {state !== 'for_people' && evidence && <p className="small faint">{evidence}</p>}
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="options" style={{ marginTop: 8 }}>
        {(Object.keys(CHOICES) as Choice[]).map((value, index) => (
          <label className="option" key={value}>
            <input type="radio" name="final" checked={action === value} onChange={() => setAction(value)} />
            <span>{CHOICES[value].label}</span>
            <kbd>{index + 1}</kbd>
            <span className="about">{CHOICES[value].about}</span>
          </label>
        ))}
      </div>
      {needsWords && (
        <textarea
          className="input"
          rows={3}
          aria-label="What should change, or what to look at again"
          placeholder={action === 'plan_changes' ? 'What should be different?' : 'What should be looked at again?'}
          value={feedback}
          onChange={({ target }) => setFeedback(target.value)}
        />
      )}
      <div className="row decide" style={{ marginTop: 8 }}>
        <Button look="primary" disabled={!isReady} onClick={() => void send()} keys="Ctrl Enter">
          {CHOICES[action].button}
        </Button>
        {!isReady && <span className="small">Write it first.</span>}
        {beside}
      </div>
    </section>
  )
}
