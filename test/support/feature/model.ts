import type { Scenario } from '../../../src/simulator/schema.ts'
import { ScenarioFile } from '../../../src/simulator/schema.ts'

/**
 * What the model does in one whole feature, from the first question to the last change. It answers by what it is asked, not
 * by how often: a run that was cut short and is begun again is answered as the first time.
 */

type Entry = { when: object; reply: unknown }

const grove = (name: string, input: object) => ({ tool_use: { name: `mcp__grove__${name}`, input } })
const write = (path: string, content: string) => ({
  tool_use: { name: 'Write', input: { file_path: `{{cwd}}/${path}`, content } },
})
const bash = (command: string) => ({ tool_use: { name: 'Bash', input: { command, description: 'Change it' } } })
const options = (...labels: string[]) => labels.map((label, index) => ({ label, recommended: index === 0 }))

const question = (text: string, labels: string[], more: object = {}) => ({
  question: text,
  options: options(...labels),
  priority: 1,
  ...more,
})

const step = (id: string, path: string, description = 'As decided.') => ({
  id,
  title: `Write ${path}`,
  description,
  complexity: 'low',
  criteria: ['All tests pass'],
  paths: [path],
})

const PATHS = { a: 'src/login.mjs', b: 'src/tokens.mjs', c: 'src/limit.mjs', d: 'src/build.mjs', e: 'src/name.mjs' }
type StepId = keyof typeof PATHS

const FIRST = [step('a', PATHS.a), step('b', PATHS.b)]
const REVIEWED = [step('a', PATHS.a, 'With a rate limit.'), step('b', PATHS.b)]
const withSteps = (...ids: StepId[]) => [...REVIEWED, ...ids.map((id) => step(id, PATHS[id]))]
const plan = (steps: object[]) => grove('propose_plan', { summary: 'Login, in small steps', steps })

/** Asked in the order of the story; the last two rounds of each kind say that nothing is left. */
export const ASKED = {
  rounds: ['Which kind of token?', 'Where are tokens kept?'],
  reviews: ['No rate limit', 'Two sessions may share a token', 'No log of failures'],
  filtered: 'Two sessions may share a token',
  blocker: 'Which clock counts?',
  todo: 'decide how long a token lives',
  feedback: 'Please name it as people do.',
} as const

const TOKENS = `// TODO: ${ASKED.todo}
// Impact: security, a stolen token works that long
// Options: (A) an hour [recommended] (B) a day
// Priority: High
export const tokens = []
`

const asksToPlan: Entry[] = [
  { when: { tool_result: 'Nothing is changed in this stage' }, reply: plan(FIRST) },
  {
    when: { newest: { contains: ['Decision: ', ASKED.rounds[1]] } },
    reply: write('early.txt', 'too early'),
  },
  {
    when: { newest: { contains: ['Decision: ', ASKED.rounds[0]] } },
    reply: grove('ask_decision', { questions: [question(ASKED.rounds[1], ['In memory', 'In a file'])] }),
  },
  {
    when: { newest: 'You plan this feature' },
    reply: {
      text: 'I have looked around.',
      ...grove('ask_decision', { questions: [question(ASKED.rounds[0], ['Opaque', 'Signed'])] }),
    },
  },
]

const finding = (text: string, priority: number) =>
  question(text, ['Change the plan', 'Accept the risk'], { category: 'security', priority })

const reviews: Entry[] = [
  {
    when: { newest: 'Review this plan: iteration 1 of' },
    reply: grove('report_review', { findings: [finding(ASKED.reviews[0], 1), finding(ASKED.reviews[1], 2)] }),
  },
  {
    when: { newest: 'Review this plan: iteration 2 of' },
    reply: grove('report_review', { findings: [finding(ASKED.reviews[2], 2)] }),
  },
  { when: { newest: 'Review this plan' }, reply: 'Nothing is left.\n\n[PLAN_APPROVED]' },
]

const verdict = (id: string, valid: boolean) => ({ id, valid, reason: valid ? 'It is so.' : 'Step a covers it.' })
const verdicts = (...all: object[]) => ({ tool_use: { name: 'StructuredOutput', input: { verdicts: all } } })

const validations: Entry[] = [
  {
    when: {
      last_user: {
        matches: `## (?<one>\\S+)\\nConcern: ${ASKED.reviews[0]}[\\s\\S]*## (?<two>\\S+)\\nConcern: ${ASKED.filtered}`,
      },
      tool_result: { matches: '^$' },
    },
    reply: verdicts(verdict('{{one}}', true), verdict('{{two}}', false)),
  },
  {
    when: { last_user: { matches: 'Check each concern[\\s\\S]*' }, tool_result: { matches: '.' } },
    reply: 'That is all.',
  },
  {
    when: { last_user: { matches: '## (?<one>\\S+)\\nConcern: ' } },
    reply: verdicts(verdict('{{one}}', true)),
  },
]

const revise = (about: string, reply: object): Entry => ({
  when: { newest: { contains: ['Bring the plan up to date', about] } },
  reply,
})

// The newest reason first: what was decided earlier may stand in the conversation too.
const revisions: Entry[] = [
  revise(ASKED.feedback, plan(withSteps('c', 'd', 'e'))),
  revise('A check of the pull request fails', plan(withSteps('c', 'd'))),
  revise(ASKED.todo, plan(withSteps('c'))),
  revise(ASKED.blocker, grove('keep_plan', { reason: 'The plan says nothing of clocks.' })),
  revise(ASKED.reviews[2], grove('keep_plan', { reason: 'Logs are there already.' })),
  revise(ASKED.reviews[0], plan(REVIEWED)),
]

const content: Record<StepId, string> = {
  a: "export const login = () => 'no'\n",
  b: TOKENS,
  c: 'export const limit = 3600\n',
  d: 'export const build = 1\n',
  e: 'export const name = 1\n',
}

const implementing = (id: StepId, reply: object, more: object = {}): Entry => ({
  when: { newest: `Implement the step ${id} `, ...more },
  reply,
})

const steps: Entry[] = [
  // Out of scope first, then what was meant.
  {
    when: { last_user: 'Implement the step a ', tool_result: 'scope_violation' },
    reply: write(PATHS.a, content.a),
  },
  ...(Object.keys(PATHS) as StepId[]).map((id) => ({
    when: { last_user: `Implement the step ${id} `, tool_result: { matches: '.' } },
    reply: grove('complete_step', { stepId: id, summary: `${PATHS[id]} is there` }),
  })),
  implementing('a', write('other.txt', 'out of scope')),
  implementing('b', write(PATHS.b, content.b), { body: 'Decision: Monotonic' }),
  implementing(
    'b',
    grove('ask_decision', { questions: [question(ASKED.blocker, ['Monotonic', 'Wall'], { blocker: true })] }),
  ),
  ...(['c', 'd', 'e'] as const).map((id) => implementing(id, write(PATHS[id], content[id]))),
  {
    when: { last_user: "The project's checks fail", tool_result: { matches: '.' } },
    reply: 'I have changed what I found.',
  },
  { when: { newest: 'attempt 1 of 3' }, reply: bash(`sed -i "s/'no'/'nearly'/" src/login.mjs`) },
  { when: { newest: "The project's checks fail" }, reply: bash(`sed -i "s/'n[a-z]*'/'ok'/" src/login.mjs`) },
]

const pullRequest: Entry[] = [
  { when: { newest: 'Write the pull request' }, reply: grove('report_pr', { title: 'Add login', body: '## Summary' }) },
  { when: { newest: 'fresh eyes' }, reply: grove('report_review', { findings: [] }) },
]

export const MODEL: Scenario = {
  ...ScenarioFile.parse({
    default: 'A summary of what was said.',
    replies: [
      { when: { tool_result: 'Recorded.' }, reply: 'Done.' },
      ...validations,
      ...reviews,
      ...revisions,
      ...steps,
      ...pullRequest,
      // Last, since decisions are told again in later prompts.
      ...asksToPlan,
    ].map((entry) => ({ ...entry, repeat: 'forever' })),
  }),
  name: 'feature',
}

/** The project that it works on: its test fails until a login says that it is well. */
export const PROJECT = {
  'package.json': JSON.stringify({ name: 'app', version: '1.0.0', type: 'module', scripts: { test: 'node test.mjs' } }),
  'test.mjs': `import { login } from './src/login.mjs'
if (login() !== 'ok') throw new Error('login says ' + login())
`,
}
