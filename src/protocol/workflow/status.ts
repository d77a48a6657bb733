import { z } from 'zod'
import { fileVersion, isoTime, StageNumber, sessionId, TestsState } from './fields.ts'

export const BreakerState = z.enum(['CLOSED', 'HALF_OPEN', 'OPEN'])

/** status.json: what is going on, and what has been counted. */
export const StatusFile = z
  .object({
    version: fileVersion,
    sessionId,
    timestamp: isoTime,
    currentStage: StageNumber,
    currentStepId: z.string().nullable(),
    status: z.enum(['idle', 'executing', 'waiting', 'paused', 'done']),
    spawnId: z.string().nullable(),
    claudeSpawnCount: z.int(),
    callsThisHour: z.int(),
    maxCallsPerHour: z.int(),
    nextHourReset: isoTime,
    circuitBreakerState: BreakerState,
    noChangeSpawns: z.int().describe('One after the other'),
    testOnlyInARow: z.int(),
    lastError: z.string(),
    sameErrorSpawns: z.int(),
    lastOutputLength: z.int(),
    exitSignals: z.object({
      testOnlySpawns: z.array(z.int()),
      completionSignals: z.array(z.int()),
      noProgressSpawns: z.array(z.int()),
    }),
    lastAction: z.string(),
    lastActionAt: isoTime,
  })
  .meta({ id: 'ExecutionStatus', description: 'What a feature session does at the moment.' })
export type StatusFile = z.infer<typeof StatusFile>

/** progress.json: derived, and may be lost. */
export const ProgressFile = z
  .object({
    version: fileVersion,
    sessionId,
    isExecuting: z.boolean(),
    startedAt: isoTime.nullable(),
    elapsedSeconds: z.number(),
    lastOutputLine: z.string(),
    filesModifiedThisStep: z.int(),
    testsStatus: TestsState,
    estimatedProgress: z.number(),
  })
  .meta({ id: 'ExecutionProgress', description: 'How far the work at hand is.' })
export type ProgressFile = z.infer<typeof ProgressFile>

export const BreakerTransition = z.object({
  timestamp: isoTime,
  from: BreakerState,
  to: BreakerState,
  trigger: z.string(),
  spawnCount: z.int(),
  context: z.string(),
})
export type BreakerTransition = z.infer<typeof BreakerTransition>

/** .circuit_breaker_history */
export const BreakerHistoryFile = z.object({ transitions: z.array(BreakerTransition) })
export type BreakerHistoryFile = z.infer<typeof BreakerHistoryFile>
