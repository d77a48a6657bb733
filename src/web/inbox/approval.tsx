import { useState } from 'react'
import { act } from '../api/actions.ts'
import type { Answer } from '../api/client.ts'
import { cache, refresh } from '../api/queries.ts'
import { isOnPage, useKeys } from '../shell/keys.ts'
import { PatchText } from '../ui/patch-text.tsx'
import { Button, fits, TooLong } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'
import { toast } from '../ui/toasts.ts'
import { detailBeside } from './derive-inbox.ts'

type Approval = Answer<'approvals', 'list'>['approvals'][number]
type List = Answer<'approvals', 'list'>

interface Props {
  approval: Approval
  snooze: React.ReactNode
  /** Of several on a page the first has the keys. */
  isFirst?: boolean
}

/** As many letters as the word to an agent may have. */
const MOST = 500

/** A request of an agent to the guard, and a person's answer. The word to the agent is kept while it is written. */
export function ApprovalBody({ approval, snooze, isFirst = true }: Props) {
  const [note, setNote] = useStored(`grove.draft.approval.${approval.id}`, '')
  const [isRefusing, setRefusing] = useState(note !== '')
  const word = note.trim()
  const detail = detailBeside(approval)
  const yes = approval.kind === 'scope' ? `Add this to ${approval.intentId}` : 'Allow this once'

  const answer = async (said: 'approve' | 'reject') => {
    if (said === 'reject' && !fits(note, MOST)) return
    const label = said === 'approve' ? yes : 'Refuse'
    const before = take(approval.id)
    const done = await act(
      'approvals',
      'answer',
      // What was written to refuse it is no word to go with a yes.
      { params: { id: approval.id }, body: { answer: said, ...(said === 'reject' && word && { note: word }) } },
      { label },
    )
    if ('refused' in done) putBack(before)
    else setNote(undefined)
    if ('sent' in done) toast(outcomeOf(done.sent.approval))
    refresh(['approvals'])
  }
  // Who refuses does not say yes with a key that was meant for the field.
  const keys: Parameters<typeof useKeys>[1] = isRefusing
    ? { 'mod+Enter': ['refuse', () => void answer('reject')] }
    : {
        1: [yes, () => void answer('approve')],
        Enter: [yes, (event) => isOnPage(event) && void answer('approve')],
        2: ['refuse and say why', () => setRefusing(true)],
      }
  useKeys('This request', isFirst ? keys : {})
  return (
    <>
      {detail && <PatchText text={detail} />}
      {isRefusing && (
        <div>
          <label className="hidden-label" htmlFor={`note-${approval.id}`}>
            A word to the agent
          </label>
          <textarea
            id={`note-${approval.id}`}
            className="input"
            placeholder="A word to the agent: why not, and what instead"
            value={note}
            onChange={({ target }) => setNote(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              void answer('reject')
            }}
            // biome-ignore lint/a11y/noAutofocus: the person has just asked to write here
            autoFocus
          />
          <TooLong text={note} most={MOST} />
        </div>
      )}
      <div className="row">
        {isRefusing ? (
          <Button look="danger" disabled={!fits(note, MOST)} onClick={() => void answer('reject')} keys="Ctrl Enter">
            Refuse{word && ' with this word'}
          </Button>
        ) : (
          <>
            <Button {...(isFirst && { look: 'primary' as const, keys: '1' })} onClick={() => void answer('approve')}>
              {yes}
            </Button>
            <Button {...(isFirst && { keys: '2' })} onClick={() => setRefusing(true)}>
              Refuse and say why
            </Button>
          </>
        )}
        {isRefusing && (
          <Button look="quiet" onClick={() => setRefusing(false)}>
            Back
          </Button>
        )}
        {snooze}
      </div>
      <p className="small faint">{MEANING[approval.kind]}</p>
    </>
  )
}

const MEANING: Record<Approval['kind'], string> = {
  action: 'The agent waits for this. Your answer holds for this one call only.',
  scope: 'The globs are written into the file of intents of this project, for every agent.',
  prompt:
    'The first answer counts, here or in the terminal, for this one call only. After a yes in the terminal this stays until the call has run.',
}

/** What became of the answer; a terminal may have been quicker. */
function outcomeOf({ status, kind }: Approval): Parameters<typeof toast>[0] {
  if (status === 'withdrawn') return { tone: 'rest', text: 'It was answered in its terminal before.' }
  if (status === 'expired') return { tone: 'rest', text: 'Too late to answer it here. It waits in its terminal.' }
  if (status !== 'rejected') return { tone: 'go', text: 'Allowed. The agent goes on.' }
  const toAgent =
    kind === 'prompt' ? 'Unless its terminal was quicker, the agent is told so.' : 'The agent was told so.'
  return { tone: 'go', text: `Refused. ${toAgent}` }
}

/** Out of the list at once; comes back if the server says no. */
function take(id: string): List | undefined {
  const before = cache.getQueryData<List>(['approvals', 'list', { query: {} }])
  if (before) putBack({ approvals: before.approvals.filter((one) => one.id !== id) })
  return before
}

function putBack(list: List | undefined): void {
  if (list) cache.setQueryData(['approvals', 'list', { query: {} }], list)
}
