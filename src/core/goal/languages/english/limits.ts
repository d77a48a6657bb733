import type { Pattern } from '../grammar.ts'
import { CLOSED } from './closed.ts'
import { KEPT_TO } from './kept-to.ts'

export const ENGLISH_LIMITS: readonly Pattern[] = [...CLOSED, ...KEPT_TO]
