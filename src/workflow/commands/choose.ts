import { redact } from '#core/redact/redact.ts'
import { refusal } from '#core/refusal.ts'
import { resetBreaker } from '#core/workflow/circuit-breaker.ts'
import type { HoldChoice } from '#core/workflow/hold.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import type { Engine } from '../engine.ts'
import type { Feature } from '../feature.ts'
import { placeOf } from '../tasks/context.ts'
import { type CommandRefusal, refused } from './refused.ts'
import { rollback } from './rollback.ts'
import { withdraw } from './withdraw-questions.ts'

/** Carries out a person's choice at a hold: resets what it is about, and lets the session go on. */
export async function choose(
  engine: Engine,
  feature: Feature,
  choice: HoldChoice,
  text: string,
  request?: string,
): Promise<CommandRefusal | undefined> {
  const kind = feature.session.hold?.kind
  if (choice === 'rollback' && kind) {
    const done = await rollback(engine, feature, request)
    return 'code' in done ? done : undefined
  }
  if (choice === 'stash_and_start' && kind === 'expired') {
    const { baseCommitSha, id } = feature.session
    const saved = await engine.world.repository.rollback(placeOf(feature), baseCommitSha, `${id}/expired`)
    if (!saved.ok) return refusal('repository_trouble', saved.message, 'Nothing was changed. Look at the worktree.')
  }
  const renamed = choice === 'rename_branch' && kind ? await newBranch(engine, feature, text) : undefined
  if (typeof renamed === 'object') return renamed
  const isFresh = choice === 'fresh_with_changes' || choice === 'stash_and_start'
  const no = await feature.happen({ type: 'choose', choice, text: redact(text) }, (files) => {
    const isBreaker = kind === 'breaker_open' || kind === 'breaker_half_open'
    const { settings } = files.session
    const chosen: FeatureFiles = {
      ...files,
      ...(isBreaker && choice !== 'pause' && closedBreaker(files, feature.now())),
      session: {
        ...files.session,
        ...(choice === 'override' && { settings: { ...settings, maxCallsPerHour: 100_000 } }),
        ...(kind === 'budget' && choice === 'continue' && { settings: { ...settings, tokenBudget: null } }),
        ...(renamed !== undefined && { featureBranch: renamed }),
        ...(choice === 'use_branch' && { existingBranch: true }),
        ...(choice === 'close' && { archivedAt: feature.now() }),
      },
    }
    return { files: isFresh ? fresh(chosen) : chosen, request }
  })
  return no && refused(no)
}

/** The branch name as git accepts it; refused when a branch has it already. */
async function newBranch({ world }: Engine, { session }: Feature, typed: string): Promise<string | CommandRefusal> {
  const wanted = typed.trim()
  const free = await world.repository.freeBranch(session.projectPath, wanted)
  if (!free.ok) return refusal('bad_branch', free.message, 'Choose a name that git accepts.')
  return free.value === wanted
    ? wanted
    : refusal('branch_exists', `The branch ${wanted} exists already too.`, `${free.value} is free.`)
}

/** The conversation is lost: a new one begins at the first stage and is told what has been changed. */
function fresh(files: FeatureFiles): FeatureFiles {
  const { session } = withdraw(files)
  return {
    ...withdraw(files),
    session: {
      ...session,
      status: 'active',
      currentStage: 1,
      task: { type: 'discover' },
      claudeSessionId: null,
      continues: session.id,
      parked: null,
      carried: [],
      approval: null,
      startWhenClean: null,
      isClean: false,
    },
  }
}

function closedBreaker(files: FeatureFiles, timestamp: string): Pick<FeatureFiles, 'status' | 'breaker'> {
  const from = files.status.circuitBreakerState
  const { breaker, context } = resetBreaker({ ...files.status, state: from })
  const { state: circuitBreakerState, ...counts } = breaker
  const transition = {
    timestamp,
    from,
    to: circuitBreakerState,
    trigger: 'user_intervention',
    spawnCount: files.status.claudeSpawnCount,
    context,
  }
  return {
    status: { ...files.status, ...counts, circuitBreakerState },
    breaker: { transitions: [...files.breaker.transitions, transition] },
  }
}
