import { useState } from 'react'
import { useAsk } from '../api/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { plural } from '../ui/format.ts'
import { Ago, CopyButton, Path } from '../ui/small.tsx'

/** Branches that look like those of feature sessions and belong to none. */
export function AlsoFound() {
  const { data } = useAsk('sessions', 'orphanedBranches', {})
  const [isOpen, setOpen] = useState(false)
  if (!data || data.branches.length === 0) return null
  return (
    <p className="small dim" style={{ marginTop: 16 }}>
      Also found:{' '}
      <button type="button" className="link" onClick={() => setOpen(true)}>
        {plural(data.branches.length, 'branch', 'branches')} without a session
      </button>
      {isOpen && (
        <Dialog
          title="Branches without a session"
          about="Grove made them, and their sessions have expired or are gone. Grove never deletes a branch by itself."
          onClose={() => setOpen(false)}
          wide
        >
          <ul className="brief unmarked">
            {data.branches.map(({ name, projectPath, lastCommitAt }) => (
              <li key={projectPath + name}>
                <div>
                  <b className="mono">{name}</b>
                  <p className="facts">
                    <Path path={projectPath} />
                    <span>
                      last commit <Ago at={Date.parse(lastCommitAt)} inWords />
                    </span>
                  </p>
                </div>
                <CopyButton
                  text={`git -C '${projectPath.replaceAll("'", "'\\''")}' branch -D '${name.replaceAll("'", "'\\''")}'`}
                  label="Copy the command that removes it"
                />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </p>
  )
}
