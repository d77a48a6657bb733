import { Link } from 'wouter'
import type { SessionSummary } from '#protocol/api/sessions.ts'
import { act } from '../api/actions.ts'
import { newId } from '../api/new-id.ts'
import { refresh } from '../api/queries.ts'
import { money } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { Menu } from '../ui/menu.tsx'
import { Ago } from '../ui/small.tsx'
import { toast } from '../ui/toasts.ts'
import { deleteWords, featurePath, miniature, pauseWords, standing } from './derive-features.ts'

/** One feature in the list, with what can be done without opening it. */
export function FeatureRow({ feature }: { feature: SessionSummary }) {
  const how = standing(feature)
  const params = { projectId: feature.projectId, featureId: feature.featureId }
  const run = async (
    name: 'archive' | 'unarchive' | 'delete' | 'undelete' | 'pause' | 'resume',
    said: string,
    undo?: 'unarchive' | 'undelete' | 'archive',
  ) => {
    const done = await act('sessions', name, { params, body: { requestId: newId() } }, { label: said })
    refresh(['sessions'])
    if ('sent' in done) {
      toast({
        tone: 'go',
        text: said,
        forMs: 7_000,
        ...(undo && {
          action: {
            label: 'Undo',
            run: () =>
              void act('sessions', undo, { params, body: { requestId: newId() } }, { label: 'Undo' }).then(() =>
                refresh(['sessions']),
              ),
          },
        }),
      })
    }
  }
  return (
    <div className="feature-row">
      <Mark shape={how.shape} tone={how.tone} />
      <div>
        <Link href={featurePath(feature)} className="title two-lines" title={feature.title}>
          {feature.title}
        </Link>
        <p className="facts">
          <span className="mono">{feature.projectName}</span>
          <span className="mono cut">{feature.branch}</span>
          {feature.pr && (
            <span>
              {feature.pr.state === 'local' ? 'local review' : `PR #${feature.pr.number} ${feature.pr.state}`}
            </span>
          )}
          {feature.replanningCount > 0 && (
            <span>re-planned {feature.replanningCount === 1 ? 'once' : `${feature.replanningCount} times`}</span>
          )}
        </p>
      </div>
      <div className="stage">
        <div className="mini" aria-hidden="true">
          {miniature(feature).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the six stages stand still
            <i key={index} className={part} />
          ))}
        </div>
        <p className="stage-text">
          {feature.stage} {feature.stageText}
        </p>
      </div>
      <span className={`standing dense ${how.tone}`}>{how.word}</span>
      <span className="cost right dense dim num">{money(feature.costUsd)}</span>
      <span className="active right dense dim">
        <Ago at={Date.parse(feature.updatedAt)} />
      </span>
      <span className="over">
        <Menu
          look="quiet"
          label={`More about ${feature.title}`}
          items={[
            feature.status === 'active' && {
              label: pauseWords(feature),
              run: () => void run('pause', 'Paused. Nothing is lost.'),
            },
            (feature.status === 'paused' || feature.status === 'interrupted') && {
              label: 'Continue',
              run: () => void run('resume', 'It goes on.'),
            },
            feature.pr?.url
              ? {
                  label: `Open PR #${feature.pr.number} (leaves this page)`,
                  run: () => void window.open(feature.pr?.url, '_blank', 'noopener,noreferrer'),
                }
              : false,
            '-',
            feature.archived
              ? {
                  label: 'Bring back from the archive',
                  run: () => void run('unarchive', 'Back in the list.', 'archive'),
                }
              : { label: 'Archive', run: () => void run('archive', 'Archived. Nothing is removed.', 'unarchive') },
            {
              label: deleteWords(feature),
              danger: true,
              run: () => void run('delete', 'Hidden. Its files stay.', 'undelete'),
            },
          ]}
        />
      </span>
    </div>
  )
}
