import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { plural } from '../ui/format.ts'
import { Button } from '../ui/small.tsx'
import { toast } from '../ui/toasts.ts'
import type { Comment } from './derive-plan.ts'
import { useComments } from './use-comments.ts'
import type { FeatureAction } from './use-feature.ts'

/** Comments on the lines of a plan, gathered until they are sent as one change request. */
export function usePlanComments({ plan, session, actions }: SessionSnapshot, run: FeatureAction) {
  const [comments, setComments] = useComments(session.id)
  const send = async () => {
    if (!plan) return
    const about = comments.map(({ stepId, quote, text }) => ({
      text,
      ...(stepId && { stepId }),
      ...(quote && { quote }),
    }))
    const body = { planHash: plan.hash, comments: about }
    const done = await run('sessionPlans', 'comment', body, { label: 'Change request' })
    if (done !== 'done' && done !== 'kept') return
    setComments(undefined)
    if (done === 'done') toast({ tone: 'go', text: 'Sent as one change request. Claude writes the next version.' })
  }
  return {
    comments,
    mayComment: actions.includes('comment'),
    add: (comment: Comment) => setComments([...comments, comment]),
    remove: (index: number) => setComments(comments.filter((_, at) => at !== index)),
    clear: () => setComments(undefined),
    send,
  }
}

/** What was written about the plan and not sent, with the button that sends it: in view however many there are. */
export function CommentsFoot({ comments, mayComment, clear, send }: ReturnType<typeof usePlanComments>) {
  if (comments.length === 0) return null
  return (
    <div className="band-foot">
      <span className="grow small">
        {plural(comments.length, 'comment')} that Claude has not seen yet
        {!mayComment && '. They can be sent when the plan is in review'}
      </span>
      <Button look="quiet" onClick={clear}>
        Throw away
      </Button>
      <Button onClick={() => void send()} disabled={!mayComment}>
        Send {plural(comments.length, 'comment')} as one change request
      </Button>
    </div>
  )
}
