import type { Stage } from '../../../../src/core/workflow/stage.ts'
import type { SessionSnapshot } from '../../../../src/protocol/api/sessions.ts'
import type { PlanStep } from '../../../../src/protocol/workflow/plan.ts'
import { ARABIC, LONG_PATH, LONG_TITLE } from '../scene.ts'
import { iso } from './ago.ts'

/** A plan with parents, Arabic and a title of 200 characters, as far as a stage has come with it. */
export function planOf(stage: Stage): SessionSnapshot['plan'] {
  const done = stage > 3
  const at = (id: string, index: number): PlanStep['status'] =>
    done
      ? 'completed'
      : stage < 3
        ? id === '1'
          ? 'completed'
          : id === '2.1'
            ? 'needs_review'
            : 'pending'
        : index < 5
          ? 'completed'
          : index === 5
            ? 'in_progress'
            : 'approved'
  const steps: [
    id: string,
    parent: string | null,
    title: string,
    description: string,
    complexity: PlanStep['complexity'],
  ][] = [
    ['1', null, 'Create branch and worktree', '', null],
    [
      '2',
      null,
      'Token families in the store',
      'Every refresh token belongs to a family; a family has one live token.',
      'medium',
    ],
    [
      '2.1',
      '2',
      'Detect reuse and revoke the family',
      'Compare the presented hash with the live one inside one transaction.\nAnswer 401 with the code token_reused.',
      'medium',
    ],
    [
      '2.2',
      '2',
      'Migration: refresh_token_family',
      'Adds a nullable column, back-fills in batches of 5,000, then sets it not null.',
      'low',
    ],
    ['3', null, 'Rotate on every use', '', 'medium'],
    ['3.1', '3', 'Issue a new token with each answer', 'Cookie attributes stay as they are.', 'medium'],
    ['3.2', '3', LONG_TITLE, `See ${LONG_PATH}.`, 'high'],
    ['4', null, 'Tests with two tabs and a lost answer', 'Two requests within the same 50 ms.', 'low'],
    ['5', null, ARABIC, '', 'low'],
  ]
  return {
    version: '1.0',
    planVersion: 3,
    sessionId: 'ses',
    isApproved: stage >= 3,
    reviewCount: 3,
    createdAt: iso(10),
    hash: 'hash-v3',
    summary: 'Rotate refresh tokens on every use.',
    reason: 'Two answers and one comment',
    updatedBy: 'agent',
    steps: steps.map(([id, parentId, title, description, complexity], index) => ({
      id,
      uid: `uid_${id}`,
      parentId,
      orderIndex: index,
      title,
      description,
      status: at(id, index),
      dependsOn: [],
      complexity,
      criteria: id === '2.1' ? ['A refresh token that is used twice ends its family'] : [],
      ownedPaths:
        id === '2.1' ? ['src/auth/refresh.ts', 'test/auth/**'] : id.startsWith('3') ? ['src/auth/routes/**'] : [],
      metadata:
        id === '1'
          ? { doneBy: 'grove' }
          : stage >= 3 && index <= 5
            ? {
                startedAt: iso(60 - index * 9),
                ...(index < 5 && { completedAt: iso(53 - index * 9), checkpoint: `refs/grove/${id}` }),
              }
            : {},
    })),
  }
}
