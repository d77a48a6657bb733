import { CLOSED } from '#core/workflow/circuit-breaker.ts'
import { NO_SIGNALS } from '#core/workflow/exit.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import { FILE_VERSION } from '#protocol/workflow/fields.ts'
import type { SessionFile } from '#protocol/workflow/session.ts'
import type { ProgressFile } from '#protocol/workflow/status.ts'

/** What a session begins with, and what takes the place of a file that is lost. */
export function emptyFiles(session: SessionFile): Omit<FeatureFiles, 'session'> {
  const head = { version: FILE_VERSION, sessionId: session.id } as const
  const { state, lastError, sameErrorSpawns, noChangeSpawns, testOnlyInARow, lastOutputLength } = CLOSED
  return {
    plan: null,
    questions: { ...head, questions: [] },
    todos: { ...head, items: [] },
    reviews: { ...head, iterations: [] },
    pr: { ...head, pullRequest: null, draft: null, checks: [], ci: 'none', reviews: [] },
    checks: { ...head, runs: [] },
    status: {
      ...head,
      timestamp: session.updatedAt,
      currentStage: session.currentStage,
      currentStepId: null,
      status: 'idle',
      spawnId: null,
      claudeSpawnCount: 0,
      callsThisHour: 0,
      maxCallsPerHour: session.settings.maxCallsPerHour,
      nextHourReset: session.updatedAt,
      circuitBreakerState: state,
      noChangeSpawns,
      testOnlyInARow,
      lastError,
      sameErrorSpawns,
      lastOutputLength,
      exitSignals: NO_SIGNALS,
      lastAction: 'created',
      lastActionAt: session.updatedAt,
    },
    breaker: { transitions: [] },
  }
}

export function noProgress(sessionId: string): ProgressFile {
  return {
    version: FILE_VERSION,
    sessionId,
    isExecuting: false,
    startedAt: null,
    elapsedSeconds: 0,
    lastOutputLine: '',
    filesModifiedThisStep: 0,
    testsStatus: 'NOT_RUN',
    estimatedProgress: 0,
  }
}
