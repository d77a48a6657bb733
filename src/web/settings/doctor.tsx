import { useState } from 'react'
import { act } from '../api/actions.ts'
import type { Answer } from '../api/client.ts'
import { useAsk } from '../api/queries.ts'
import { Mark } from '../ui/mark.tsx'
import { Button, CopyButton, Skeleton } from '../ui/small.tsx'
import { toast } from '../ui/toasts.ts'
import { Trouble } from '../ui/trouble.tsx'
import { WithCode } from '../ui/with-code.tsx'
import { commandIn } from './derive-settings.ts'

/** Checks of the machine, worst first; what Grove can put right itself is a click. */
export function Doctor() {
  const { data, error, isFetching, refetch } = useAsk('settings', 'doctor', {})
  if (error) return <Trouble error={error} what="The doctor" onRetry={() => void refetch()} />
  const findings = data?.findings ?? []
  const bad = findings.filter(({ status }) => status !== 'ok')
  return (
    <section>
      <div className="row">
        <p className="grow dim">
          {!data || isFetching
            ? 'Checking the machine, this takes a second or two …'
            : bad.length === 0
              ? `All ${findings.length} checks passed.`
              : `${bad.length} of ${findings.length} checks ${bad.length === 1 ? 'needs' : 'need'} attention; see the fixes below.`}
        </p>
        <Button onClick={() => void refetch()} disabled={isFetching}>
          Check again
        </Button>
      </div>
      {!data ? (
        <Skeleton rows={8} />
      ) : (
        <ul className="brief">
          {[...bad, ...findings.filter(({ status }) => status === 'ok')].map(
            ({ check, status, detail, fix, remedy }) => (
              <li key={check + detail}>
                <Mark
                  shape={status === 'ok' ? 'done' : 'wrong'}
                  {...(status === 'warn' && { tone: 'rest' as const })}
                />
                <div>
                  <b>{check}</b>{' '}
                  <span className={status === 'fail' ? 'wrong small' : 'small faint'}>
                    {{ ok: 'ok', warn: 'warning', fail: 'error' }[status]}
                  </span>
                  <p className="text dim">
                    <WithCode text={detail} />
                  </p>
                  {fix && (
                    <p className="text">
                      <WithCode text={fix} />
                    </p>
                  )}
                </div>
                {remedy ? (
                  <FixButton remedy={remedy} onDone={() => void refetch()} />
                ) : fix && commandIn(fix) ? (
                  <CopyButton text={commandIn(fix)!} label={`Copy “${commandIn(fix)!}”`} />
                ) : (
                  <span />
                )}
              </li>
            ),
          )}
        </ul>
      )}
    </section>
  )
}

type Remedy = NonNullable<Answer<'settings', 'doctor'>['findings'][number]['remedy']>
const WORDS: Record<Remedy, string> = { attach: 'Add the hooks to Claude Code' }

function FixButton({ remedy, onDone }: { remedy: Remedy; onDone(): void }) {
  const [isBusy, setBusy] = useState(false)
  const fix = async () => {
    setBusy(true)
    const done = await act('settings', 'fix', { body: { remedy } }, { label: WORDS[remedy] })
    setBusy(false)
    if ('sent' in done) toast({ tone: 'go', text: done.sent.done })
    onDone()
  }
  return (
    <Button onClick={() => void fix()} disabled={isBusy}>
      {WORDS[remedy]}
    </Button>
  )
}
