import { useState } from 'react'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import type { CheckRun, CriterionEvidence } from '#protocol/workflow/checks.ts'
import { Dialog } from '../ui/dialog.tsx'
import { capital, duration } from '../ui/format.ts'
import { type Shape, State, type Tone } from '../ui/mark.tsx'
import { Ago, CopyButton } from '../ui/small.tsx'
import { plainly } from '../ui/visible-text.ts'
import { evidenceWords } from './derive-evidence.ts'

const STATES: Record<CriterionEvidence['state'], { shape: Shape; tone: Tone; word: string }> = {
  open: { shape: 'open', tone: 'rest', word: 'Not yet' },
  passed: { shape: 'done', tone: 'go', word: 'Proven' },
  failed: { shape: 'wrong', tone: 'wrong', word: 'Fails' },
  accepted: { shape: 'turn', tone: 'rest', word: 'Fails, accepted' },
  no_command: { shape: 'open', tone: 'rest', word: 'No command' },
  for_people: { shape: 'open', tone: 'rest', word: 'You check it' },
}

const SAYS_ENOUGH = new Set<CriterionEvidence['state']>(['open', 'for_people'])

/** Each criterion and what speaks for it; in short, where the word says enough. */
export function EvidenceList({ snapshot, isShort = false }: { snapshot: SessionSnapshot; isShort?: boolean }) {
  const { criteria, checks } = snapshot
  const [run, setRun] = useState<CheckRun>()
  return (
    <section>
      <h2>Criteria and evidence</h2>
      <p className="small dim">
        {evidenceWords(criteria)}
        {snapshot.summary.stage <= 4 &&
          snapshot.summary.status !== 'rolled_back' &&
          ' The pull request is made only when what Grove checks passes.'}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Criterion</th>
            <th scope="col">Evidence</th>
          </tr>
        </thead>
        <tbody>
          {criteria.map(({ text, state, evidence, runId, steps }) => {
            const found = checks.find(({ id }) => id === runId)
            return (
              <tr key={text}>
                <td className="text">
                  {text}
                  {steps.length > 0 && <p className="small faint">steps {steps.join(', ')}</p>}
                </td>
                <td>
                  <State shape={STATES[state].shape} tone={STATES[state].tone}>
                    {STATES[state].word}
                  </State>
                  {!(state === 'no_command' || (isShort && SAYS_ENOUGH.has(state))) && (
                    <p className="small faint text">
                      {evidence || '–'}{' '}
                      {found && (
                        <button type="button" className="link" onClick={() => setRun(found)}>
                          Show the run
                        </button>
                      )}
                    </p>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {run && <RunDialog run={run} onClose={() => setRun(undefined)} />}
    </section>
  )
}

/** Every command that Grove has run, newest first. */
export function EvidenceTab({ snapshot }: { snapshot: SessionSnapshot }) {
  const [run, setRun] = useState<CheckRun>()
  return (
    <div className="stack-2">
      <EvidenceList snapshot={snapshot} />
      <section>
        <h2>Runs</h2>
        {snapshot.checks.length === 0 && (
          <p className="dim">Grove runs the project’s own commands when the steps are done.</p>
        )}
        <ul className="brief">
          {snapshot.checks.toReversed().map((one) => (
            <li key={one.id}>
              <State shape={one.result === 'passed' ? 'done' : 'wrong'}>{''}</State>
              <div>
                <button type="button" className="link mono" onClick={() => setRun(one)}>
                  {one.command.join(' ')}
                </button>
                <p className="faint">
                  {one.kind}, {one.result.replaceAll('-', ' ')} after {duration(one.durationMs)}
                  {one.attempt > 0 && `, fix ${one.attempt}`}
                </p>
              </div>
              <span className="faint">
                <Ago at={Date.parse(one.ranAt)} />
              </span>
            </li>
          ))}
        </ul>
      </section>
      {run && <RunDialog run={run} onClose={() => setRun(undefined)} />}
    </div>
  )
}

function RunDialog({ run, onClose }: { run: CheckRun; onClose(): void }) {
  return (
    <Dialog
      title={run.command.join(' ')}
      about={`${capital(run.result.replaceAll('-', ' '))} after ${duration(run.durationMs)}${run.exitCode === null ? '' : `, exit code ${run.exitCode}`}`}
      onClose={onClose}
      wide
    >
      <pre className="log" tabIndex={0}>
        {plainly(run.output.trim()) || 'It printed nothing.'}
      </pre>
      <CopyButton text={run.output} label="Copy the output" />
    </Dialog>
  )
}
