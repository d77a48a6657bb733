import { useState } from 'react'
import { useAsk } from '../api/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { plural } from '../ui/format.ts'
import { Ago, CopyButton } from '../ui/small.tsx'

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
          about="Grove made them, and their sessions have expired or are gone. It deletes none of them by itself."
          onClose={() => setOpen(false)}
          wide
        >
          <table>
            <thead>
              <tr>
                <th scope="col">Branch</th>
                <th scope="col">Project</th>
                <th scope="col">Last commit</th>
                <th scope="col">Command that removes it</th>
              </tr>
            </thead>
            <tbody>
              {data.branches.map(({ name, projectPath, lastCommitAt }) => (
                <tr key={projectPath + name}>
                  <td className="mono">{name}</td>
                  <td className="mono">{projectPath}</td>
                  <td>
                    <Ago at={Date.parse(lastCommitAt)} />
                  </td>
                  <td>
                    <CopyButton
                      text={`git -C '${projectPath.replaceAll("'", "'\\''")}' branch -D '${name.replaceAll("'", "'\\''")}'`}
                      label="Copy"
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Dialog>
      )}
    </p>
  )
}
