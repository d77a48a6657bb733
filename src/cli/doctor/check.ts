import type { Loaded } from '#config/load.ts'
import { Trouble } from '#config/trouble.ts'
import type { DoctorFinding } from '#protocol/api/settings.ts'
import type { Cli } from '../context.ts'

/** What a check may look at. */
export interface Scene {
  cli: Cli
  settings: Loaded
  /** Whether hosts other than this machine may be asked. */
  online: boolean
}

export type Check = (scene: Scene) => Promise<DoctorFinding[]> | DoctorFinding[]

export function ok(check: string, detail: string): DoctorFinding {
  return { check, status: 'ok', detail }
}

export function warn(check: string, detail: string, fix: string): DoctorFinding {
  return { check, status: 'warn', detail, fix }
}

export function fail(check: string, detail: string, fix: string): DoctorFinding {
  return { check, status: 'fail', detail, fix }
}

/** A failure in the words of the error, with its way out if it has one. */
export function failure(check: string, error: unknown, otherwise: string): DoctorFinding {
  if (error instanceof Trouble) return fail(check, error.message, error.wayOut)
  const suggestion = error instanceof Error && 'suggestion' in error ? String(error.suggestion) : undefined
  if (suggestion) return fail(check, reason(error).replace(suggestion, '').trim(), suggestion)
  return fail(check, reason(error), otherwise)
}

export function reason(error: unknown): string {
  return error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error)
}
