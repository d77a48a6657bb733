import { describe, expect, it } from 'vitest'
import { extractGoal } from '#core/goal/goal.ts'
import type { PlanFile } from '#protocol/workflow/plan.ts'
import type { Question } from '#protocol/workflow/questions.ts'
import { sampleFiles } from '../testing/sample.ts'
import { recontextualisation } from './context.ts'
import { discoveryPrompt } from './discovery.ts'
import { fixPrompt, stepPrompt } from './implementation.ts'
import { reviewPrompt, revisionPrompt } from './planning.ts'
import { prReviewPrompt, pullRequestPrompt } from './pull-request.ts'
import { validationPrompt } from './validation.ts'

const { session } = sampleFiles()
const plan: PlanFile = {
  version: '1.0',
  planVersion: 2,
  sessionId: session.id,
  isApproved: false,
  reviewCount: 0,
  createdAt: '',
  hash: 'h',
  summary: '',
  reason: '',
  updatedBy: 'agent',
  steps: [
    {
      id: 'step-1',
      uid: 'u',
      parentId: null,
      orderIndex: 1,
      title: 'Write the route',
      description: 'In src/login.ts',
      status: 'pending',
      dependsOn: [],
      complexity: 'low',
      criteria: ['All tests pass'],
      ownedPaths: ['src/login.ts'],
      metadata: {},
    },
  ],
}
const changes = { files: ['src/login.ts'], patch: '+ login', results: ['npm test: passed'] }

function whole({ parts, text }: { parts: string[]; text: string }): string {
  return [...parts, text].join('\n')
}

describe('the prompt of', () => {
  it('discovery has the form, what is asked for, and only what was given', () => {
    const text = whole(discoveryPrompt(session, { recalled: 'We use argon2', changes: '' }))
    for (const needed of [
      session.title,
      session.featureDescription,
      'All tests pass',
      session.folder,
      session.baseBranch,
      'subagents',
      'architecture',
      'frontend',
      'backend',
      'database',
      'integration',
      'tests',
      'ask_decision',
      'DECISION_NEEDED',
      'recommended',
      'propose_plan',
      'PLAN_STEP',
      'PLAN_FILE',
      'complexity',
      'We use argon2',
      'npm test',
    ]) {
      expect(text).toContain(needed)
    }
    expect(text).not.toContain('Technical notes')
    expect(text).not.toContain('probably affected')
  })

  it('a revision has the plan and what has to go into it', () => {
    const carried = [{ from: 'blocker' as const, text: 'Use the other API' }]
    const text = whole(revisionPrompt(plan, { ...session, carried }, { changed: '' }))
    for (const needed of ['version 2', 'Write the route', 'Use the other API', 'propose_plan', 'keep_plan'])
      expect(text).toContain(needed)
  })

  it('a review has iteration, categories, priorities and both ways to report', () => {
    const text = whole(reviewPrompt(plan, session, { gaps: ['No step serves x'], settled: ['Question: a'] }))
    for (const needed of [
      'iteration 1 of 10',
      'code_quality',
      'architecture',
      'security',
      'performance',
      'plan_structure',
      'accepting the risk',
      'report_review',
      'PLAN_APPROVED',
      'No step serves x',
      'Question: a',
    ])
      expect(text).toContain(needed)
  })

  it('a step has its paths, the reports, the comment format and who does git', () => {
    const text = whole(
      stepPrompt(plan.steps[0]!, plan, session, {
        guidance: ['Mind the clock'],
        isFirst: true,
        stateFolder: '/state',
        interrupted: false,
      }),
    )
    for (const needed of [
      'step-1',
      'src/login.ts',
      'report_status',
      'complete_step',
      'STEP_COMPLETE',
      'blocker',
      'TODO:',
      'Impact:',
      'Options:',
      'Priority:',
      'at most three times',
      'Do not commit',
      '/state',
      'Mind the clock',
      'The approved plan',
    ])
      expect(text).toContain(needed)
    expect(extractGoal(text).goal).toBe('Write the route: In src/login.ts')
  })

  it('a fix has the output and counts', () => {
    expect(whole(fixPrompt('1 test failed', 2, 3, []))).toMatch(/1 test failed[\s\S]*attempt 2 of 3/)
  })

  it('a pull request has diff, results and the rules for its words', () => {
    const text = whole(pullRequestPrompt(plan, session, changes))
    for (const needed of [
      '+ login',
      'npm test: passed',
      '72 characters',
      'Test plan',
      'report_pr',
      'PR_CREATED',
      session.featureBranch,
    ])
      expect(text).toContain(needed)
  })

  it('its review has fresh eyes, aspects, severities and CI', () => {
    const text = whole(
      prReviewPrompt(plan, session, {
        ...changes,
        title: 'Add login',
        body: 'why',
        settled: [],
        feedback: ['look at errors'],
        ci: 'build: passing',
      }),
    )
    for (const needed of [
      'fresh eyes',
      'Add login',
      'plan was followed',
      'critical',
      'major',
      'suggestion',
      'report_review',
      'REVIEW_CHECKPOINT',
      'PR_APPROVED',
      'build: passing',
      'look at errors',
    ])
      expect(text).toContain(needed)
  })

  it('a validation has plan, concern and the rule for doubt', () => {
    const question = {
      id: 'q1',
      questionText: 'No limit',
      context: 'Impact: x',
      category: 'security',
      file: 'a.ts',
      line: 3,
    } as Question
    const text = whole(validationPrompt(plan, [question]))
    for (const needed of ['q1', 'No limit', 'a.ts:3', 'In doubt it is valid', 'verdicts'])
      expect(text).toContain(needed)
  })

  it('a shortened conversation names what to look at again', () => {
    expect(recontextualisation('implement', session)).toContain('files that its open steps change')
  })
})
