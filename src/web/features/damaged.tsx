import { act } from '../api/actions.ts'
import { refresh, useAsk } from '../api/queries.ts'
import { Button, Command, Note } from '../ui/small.tsx'
import { toast } from '../ui/toasts.ts'

interface Place {
  projectId: string
  featureId: string
}

/** Sessions whose state cannot be read: all of them, or the one of a feature that was looked for. */
export function Damaged({ only, otherwise }: { only?: Place; otherwise?: React.ReactNode }) {
  const { data } = useAsk('sessions', 'damaged', {})
  const sessions = (data?.sessions ?? []).filter(
    (one) => !only || (one.projectId === only.projectId && one.featureId === only.featureId),
  )
  if (sessions.length === 0) return otherwise
  const repair = async ({ projectId, featureId }: Place, action: 'read_again' | 'set_aside', label: string) => {
    const done = await act('sessions', 'repair', { params: { projectId, featureId }, body: { action } }, { label })
    if (!('sent' in done)) return
    const { readable, folder } = done.sent
    if (folder) toast({ tone: 'rest', text: `${featureId} lies in ${folder} now. Nothing of it was removed.` })
    else if (!readable) toast({ tone: 'wrong', text: `${featureId} still cannot be read.` })
    refresh(['sessions'])
  }
  return sessions.map((one) => (
    <Note key={one.featureId} tone="wrong">
      <div className="stack">
        <p>
          <b>The state of “{one.featureId}” is damaged.</b> Neither its session.json nor the copy before it can be read,
          and its branch and all files are as they were. Put a session.json back and read it again, or take it out of
          the way and begin a new feature from the branch.
        </p>
        <Command text={one.folder} />
        <p className="row wrap">
          <Button onClick={() => void repair(one, 'read_again', 'Read again')}>Read it again</Button>
          <Button onClick={() => void repair(one, 'set_aside', 'Take out of the way')}>
            Take it out of the way; nothing is removed
          </Button>
        </p>
      </div>
    </Note>
  ))
}
