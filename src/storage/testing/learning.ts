import type { Learning } from '#core/learning/learning.ts'

/** A learning with every field, told apart by its id. */
export const learning = (id: string, more: Partial<Learning> = {}): Learning => ({
  id: `lrn_${id}`,
  category: 'pitfall',
  summary: `Summary of ${id}`,
  detail: `The detail of ${id}, which is long enough.`,
  scope: 'project',
  confidence: 'high',
  criteriaMet: ['behavior_changing'],
  tags: ['database', 'seed'],
  contextFiles: ['db/seed.ts'],
  sessionId: '00000000-0000-4000-8000-000000000001',
  ticketId: 'app-7',
  at: Date.parse('2026-11-15T10:00:00Z'),
  status: 'active',
  ...more,
})
