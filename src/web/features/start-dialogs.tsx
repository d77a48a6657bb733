import { Link } from 'wouter'
import { Dialog } from '../ui/dialog.tsx'
import { Button } from '../ui/small.tsx'
import type { PathState } from './derive-form.ts'

interface Props {
  message: string
  onWorktree(): void
  onClose(): void
}

/** The checkout has changes that are not committed, and the feature would work in it. */
export function DirtyTree({ message, onStash, onWorktree, onClose }: Props & { onStash(): void }) {
  return (
    <Dialog title="Your checkout has uncommitted changes" about={message} onClose={onClose}>
      <p>
        In a worktree of its own the feature leaves your checkout as it is. If you stash the changes instead,{' '}
        <code>git stash pop</code> brings them back.
      </p>
      <div className="dialog-actions">
        <Button look="quiet" onClick={onClose}>
          Back to the form
        </Button>
        <Button onClick={onStash}>Stash them and start here</Button>
        <Button look="primary" onClick={onWorktree}>
          Start in a worktree instead
        </Button>
      </div>
    </Dialog>
  )
}

/** Another feature works in this checkout already. */
export function OtherSession({ message, path, onWorktree, onClose }: Props & { path: PathState | undefined }) {
  return (
    <Dialog title="Another feature works in this checkout" about={message} onClose={onClose}>
      <p>
        Only one feature can work in a checkout at a time. Close that one first, or let this one work in a worktree of
        its own.
      </p>
      <div className="dialog-actions">
        <Button look="quiet" onClick={onClose}>
          Back to the form
        </Button>
        {path?.activeInPlace && path.projectId && (
          <Link
            href={`/features/${encodeURIComponent(path.projectId)}/${encodeURIComponent(path.activeInPlace)}`}
            className="button"
          >
            Show that feature
          </Link>
        )}
        <Button look="primary" onClick={onWorktree}>
          Start in a worktree instead
        </Button>
      </div>
    </Dialog>
  )
}

/** The branch that the form names is there already. */
export function BranchTaken({ message, onUse, onNumber, onClose }: Omit<Props, 'onWorktree'> & Ways) {
  return (
    <Dialog title="The branch exists already" about={message} onClose={onClose}>
      <p>
        A number at the end gives this feature a branch of its own. If you continue from the one that is there, its
        commits stay, even after a rollback.
      </p>
      <div className="dialog-actions">
        <Button look="quiet" onClick={onClose}>
          Back to the form
        </Button>
        <Button onClick={onUse}>Continue from that branch</Button>
        <Button look="primary" onClick={onNumber}>
          Start with a number at its end
        </Button>
      </div>
    </Dialog>
  )
}

interface Ways {
  onUse(): void
  onNumber(): void
}
