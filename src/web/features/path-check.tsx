import { useEffect } from 'react'
import { call } from '../api/client.ts'
import { Mark } from '../ui/mark.tsx'
import type { FormDraft, PathState } from './derive-form.ts'

/** Asks about the folder a moment after the last letter. */
export function usePathCheck(path: string, onState: (state: PathState | undefined) => void): void {
  const wanted = path.trim()
  useEffect(() => {
    // What is known is of another folder.
    onState(undefined)
    if (!wanted) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      call('sessions', 'validatePath', { body: { path: wanted } }, stop.signal).then(onState, () => {
        // The server checks again when the form is sent.
      })
    }, 300)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [wanted, onState])
}

/** What is known of the folder, before anything is started in it. */
export function PathFacts({ path, mode }: { path: PathState; mode: FormDraft['mode'] }) {
  return (
    <>
      <p className="fine">
        <Mark shape="done" />
        <span>
          {path.name}, on <code>{path.currentBranch ?? 'no branch'}</code>
          {path.dirty &&
            (mode === 'worktree'
              ? '. It has uncommitted changes; they stay in your checkout and are not in the worktree'
              : '. It has uncommitted changes; they must be stashed first')}
          .
        </span>
      </p>
      {!path.pullRequests && path.pullRequestProblem && (
        <p className="hint">
          <span>No pull requests from here: {path.pullRequestProblem}. The review then happens on this machine.</span>
        </p>
      )}
      {mode === 'worktree' && path.untrackedHelpers.length > 0 && (
        <p className="hint">Copied into the worktree: {path.untrackedHelpers.join(', ')}</p>
      )}
    </>
  )
}
