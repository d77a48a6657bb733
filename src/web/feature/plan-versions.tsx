import { useState } from 'react'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { useAsk } from '../api/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Ago, Skeleton } from '../ui/small.tsx'
import { changedLines } from './derive-diff.ts'
import { reasonWords } from './derive-plan.ts'

const SIGNS = { added: '+', removed: '−', changed: '±', moved: '↕' }

/** The versions of the plan, and what the chosen one changed. */
export function PlanVersions({ snapshot: { summary, plan }, onClose }: { snapshot: SessionSnapshot; onClose(): void }) {
  const params = { projectId: summary.projectId, featureId: summary.featureId }
  const [to, setTo] = useState(plan?.planVersion ?? 1)
  const versions = useAsk('sessionPlans', 'versions', { params })
  const diff = useAsk('sessionPlans', 'diff', { params, query: { to: String(to) } }, { enabled: to > 1 })
  return (
    <Dialog title="Versions of the plan" onClose={onClose} wide>
      {!versions.data ? (
        <Skeleton rows={3} />
      ) : (
        <ul className="options">
          {versions.data.versions.map(({ version, steps, reason, isApproved, createdAt }) => (
            <li key={version}>
              <label className="option">
                <input type="radio" name="version" checked={version === to} onChange={() => setTo(version)} />
                <span>
                  v{version}, {steps} steps{isApproved && ', approved'}
                </span>
                <span className="faint small">
                  <Ago at={Date.parse(createdAt)} />
                </span>
                <span className="about text wrap">{reasonWords(reason)}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
      <h3>{to > 1 ? `What v${to} changed` : 'The first version'}</h3>
      {to > 1 && !diff.data && <Skeleton rows={2} />}
      {diff.data && to > 1 && (
        <ul className="stack">
          {diff.data.changes.length === 0 && <li className="dim">Nothing but its order.</li>}
          {diff.data.changes.map(({ stepId, change, before, after, fields }) => (
            <li key={stepId + change}>
              <b>
                {SIGNS[change]} {stepId} {(after ?? before)?.title}
              </b>{' '}
              <span className="faint small">{change}</span>
              {fields.map(({ field, before: was, after: is }) => (
                <div key={field} className="diff">
                  <p className="small faint">{field}</p>
                  {changedLines(was, is).map(({ type, text }, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other name
                    <div key={index} className={`diff-line ${type}`}>
                      <span className="at" />
                      <span>{{ added: '+', removed: '−', context: '' }[type]}</span>
                      <span className="text wrap">{text}</span>
                    </div>
                  ))}
                </div>
              ))}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
