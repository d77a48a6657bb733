import { z } from 'zod'
import { SESSION_STATUSES, STAGES } from '#core/workflow/stage.ts'

/** Fields that several state files share. Files have times as people write them; the rest of the API has milliseconds. */
export const FILE_VERSION = '1.0'
export const fileVersion = z.literal(FILE_VERSION)
export const isoTime = z.string().describe('ISO 8601, UTC')
export const StageNumber = z
  .union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5), z.literal(6)])
  .describe('1 discovery, 2 plan review, 3 implementation, 4 pull request, 5 its review, 6 final approval')
export const StageWord = z.enum(STAGES)
export const Status = z.enum(SESSION_STATUSES)
/** How a criterion is shown to be met. */
export const CriterionType = z.enum(['automated', 'manual', 'review'])
export const WorkPlaceMode = z.enum(['worktree', 'in_place'])
/** What Claude says of its work on a step. */
export const WorkState = z.enum(['IN_PROGRESS', 'COMPLETE', 'BLOCKED'])
export const TestsState = z.enum(['PASSING', 'FAILING', 'NOT_RUN'])
export const WorkType = z.enum(['IMPLEMENTATION', 'TESTING', 'REFACTORING'])
export const sessionId = z.string().describe('Of the feature session')
