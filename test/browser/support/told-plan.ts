import { ARABIC, LONG_PATH, LONG_TITLE } from './scene.ts'

/** What Claude says in the feature sessions of the scene: its plan, what it asks and what it finds. */

interface ToldStep {
  id: string
  parent?: string
  title: string
  description: string
  complexity: 'low' | 'medium' | 'high'
  criteria: string[]
  paths: string[]
}

const told = (id: string, title: string, description = '', more: Partial<ToldStep> = {}): ToldStep => ({
  ...{ id, title, description, complexity: 'medium', criteria: [], paths: ['src/**', 'migrations/**', 'test/**'] },
  ...(id.includes('.') && { parent: id.split('.')[0]! }),
  ...more,
})

export const STEPS: ToldStep[] = [
  told('1', 'Token families in the store', 'Every refresh token belongs to a family; a family has one live token.'),
  told(
    '1.1',
    'Detect reuse and revoke the family',
    'Compare the presented hash with the live one inside one transaction.\nAnswer 401 with the code token_reused.',
    { criteria: ['All tests pass'], paths: ['src/auth/refresh.ts', 'test/auth/**'] },
  ),
  told('1.2', 'Migration: refresh_token_family', 'Adds a nullable column, back-fills in batches of 5,000.', {
    complexity: 'low',
  }),
  told('2', 'Rotate on every use', 'One answer, one new token.'),
  told('2.1', 'Issue a new token with each answer', 'Cookie attributes stay as they are.'),
  told('2.2', LONG_TITLE, `See ${LONG_PATH}.`, { complexity: 'high' }),
  told('3', 'Tests with two tabs and a lost answer', 'Two requests within the same 50 ms.', { complexity: 'low' }),
  told('4', ARABIC, '', { complexity: 'low' }),
]

export const ONE_STEP = [told('1', 'Write it', 'As decided.', { paths: ['src/**', 'test/**'] })]

/** The plan after so many rounds: each changes a step, the second adds one. */
export function planAfter(rounds: number): { summary: string; steps: ToldStep[] } {
  const steps = STEPS.map((step) =>
    step.id === '1.1' && rounds > 0
      ? { ...step, description: `${step.description}\nDecided in round ${rounds}.` }
      : step,
  )
  const limit = told('5', 'Limit attempts per address', 'Ten in a minute.', { complexity: 'low' })
  return { summary: 'Rotate refresh tokens on every use.', steps: rounds > 1 ? [...steps, limit] : steps }
}

const option = (label: string, description = '', recommended = false) => ({ label, description, recommended })

/** One of each kind, and two that are asked once these are answered. */
export const FOUR_KINDS = [
  {
    question: 'What happens when a refresh token is used twice?',
    context: 'A reused token means that two parties hold it. The plan has to say who loses the session.',
    options: [
      option('Revoke the whole token family', 'Both the thief and the person are signed out.', true),
      option('Refuse the second use only', 'The first holder keeps the session, even if that is the thief.'),
      option('Allow a second use within 10 s', 'Tolerates lost answers on mobile.'),
    ],
    priority: 1,
    category: 'security',
    file: 'src/auth/refresh.ts',
    line: 1,
  },
  {
    question: 'Which clients must keep working without an update?',
    type: 'multiple_choice',
    options: [
      option('Web', '', true),
      option('Handheld app 3.8 and newer', '', true),
      option('Handheld app 3.6 and 3.7', '14 % of the sign-ins of last week.'),
    ],
    priority: 1,
    category: 'architecture',
  },
  {
    question: 'May the migration lock the table for up to two seconds?',
    context: 'At night there are about 3 sign-ins a second.',
    type: 'confirmation',
    priority: 1,
    category: 'integration',
  },
  {
    question: 'What should a person read who was signed out by this?',
    type: 'text',
    priority: 1,
    category: 'wording',
    required: false,
  },
  ...['Should the old column be removed?', 'Is the audit log kept?'].map((question) => ({
    question,
    options: [option('Yes', '', true), option('No')],
    priority: 2,
  })),
]

export const finding = (question: string, category = 'security', more: object = {}) => ({
  question,
  context: 'People on bad connections are signed out.',
  options: [option('Change the plan', '', true), option('Accept the risk')],
  priority: 1,
  category,
  ...more,
})

/** What the validation takes back. */
export const UNREAL = 'There is no index on user_id'

/** Five, then three, then two findings, one of which the validation takes back. */
export const REVIEWS = [
  ['security', 'architecture', 'code_quality', 'performance', 'testing'].map((category, at) =>
    finding(`Point ${at + 1} of ${category} is not settled`, category),
  ),
  ['security', 'testing', 'performance'].map((category) => finding(`The plan leaves ${category} open`, category)),
  [
    finding('Reuse of a token within the same second is not told apart from theft', 'security', {
      file: 'src/auth/refresh.ts',
      line: 1,
    }),
    finding(UNREAL, 'performance'),
    finding('The message names no way back', 'wording', { priority: 2 }),
  ],
]

export const TODO = `// TODO: The load balancer closes idle connections after 60 s
// Impact: performance, the plan keeps streams open for 15 minutes
// Options: (A) Send a heartbeat every 25 s [recommended] (B) Change the balancer
// Priority: High
`

export const PR_WORDS = {
  title: 'Rotate refresh tokens on every use',
  body: '## Summary\n\nEnds a token family when a token is used twice. See [the notes](https://example.com/notes).\n\n```ts\nconst family = await families.of(token)\n```\n\n<img src=x onerror=alert(1)>',
}

export const CI_LOG = 'unit\tTest\tFAIL test/auth/session.test.ts\nunit\tTest\t  expected 2 families, got 1\n'
