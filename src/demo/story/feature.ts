import type { SessionForm } from '#protocol/api/session-form.ts'
import { grove, read, says, type Told, write } from './told.ts'

/** A feature from a form to a reviewed branch. What the visitor answers decides which words come back. */

const TESTS = 'All tests pass, and gift cards have tests'

export function featureForm(projectPath: string): SessionForm {
  return {
    title: 'Pay with a gift card',
    projectPath,
    description:
      'Customers can enter the code of a gift card at the checkout. Its balance is taken off the total, and what is left of it stays on the card.',
    acceptanceCriteria: [
      { text: TESTS, checked: true, type: 'automated' },
      { text: 'A card never pays more than its balance', checked: true, type: 'review' },
    ],
    affectedFiles: ['src/checkout/checkout.mjs'],
    technicalNotes: '',
    options: { localReview: true, recommendedReviews: 1 },
  }
}

const QUESTIONS = [
  {
    question: 'What happens when the card holds less than the total?',
    context: 'The checkout knows one way to pay today.',
    options: [
      { label: 'The rest is paid as usual', description: 'The card pays what it can.', recommended: true },
      { label: 'The card is refused', description: 'Simpler, and customers keep small balances.' },
    ],
    priority: 1,
    category: 'behaviour',
  },
  {
    question: 'May a customer use several cards for one order?',
    context: 'It decides whether the checkout takes one code or a list.',
    options: [
      { label: 'One card', description: '', recommended: true },
      { label: 'Several cards', description: 'A list of codes, used in order.' },
    ],
    priority: 1,
    category: 'behaviour',
  },
]

const STEPS = [
  {
    id: 'cards',
    title: 'Take the balance of a gift card off an amount',
    description: 'A pure function with tests: how much the card pays, and what is left on it.',
    complexity: 'low',
    criteria: [TESTS, 'A card never pays more than its balance'],
    paths: ['src/gift-cards/**', 'test/gift-cards.test.mjs'],
  },
  {
    id: 'checkout',
    title: 'Let the checkout take a gift card',
    description: 'checkout() takes a card, and says what is still due.',
    dependsOn: ['cards'],
    complexity: 'medium',
    criteria: [TESTS],
    paths: ['src/checkout/**', 'test/checkout.test.mjs'],
  },
]

const FINDING = {
  question: 'A negative amount would add money to the card',
  context: 'redeem() is public; a refund could call it with a negative amount by mistake.',
  options: [
    { label: 'Refuse negative amounts', description: 'A RangeError, with a test.', recommended: true },
    { label: 'Accept the risk', description: 'The checkout never asks for less than nothing.' },
  ],
  priority: 1,
  category: 'security',
}

const CARDS = `import { roundCents } from '../pricing/round.mjs'

/** How much a card pays of an amount, and what is left on it. */
export function redeem(card, amount) {
  if (amount < 0) throw new RangeError('A gift card cannot pay a negative amount.')
  const paid = Math.min(card.balance, amount)
  return { paid, card: { ...card, balance: roundCents(card.balance - paid) } }
}
`

const CARDS_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redeem } from '../src/gift-cards/redeem.mjs'

test('a card never pays more than its balance', () => {
  assert.deepEqual(redeem({ code: 'A', balance: 20 }, 25), { paid: 20, card: { code: 'A', balance: 0 } })
})

test('what is left stays on the card', () => {
  assert.equal(redeem({ code: 'A', balance: 20 }, 12.5).card.balance, 7.5)
})

test('a negative amount is refused', () => {
  assert.throws(() => redeem({ code: 'A', balance: 20 }, -1), RangeError)
})
`

const CHECKOUT = `import { total } from '../cart/total.mjs'
import { redeem } from '../gift-cards/redeem.mjs'

export function checkout(lines, giftCard) {
  const all = total(lines)
  if (!giftCard) return { due: all, lines }
  const { paid, card } = redeem(giftCard, all)
  return { due: all - paid, lines, paid, card }
}
`

const CHECKOUT_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkout } from '../src/checkout/checkout.mjs'

test('asks for the total', () => {
  assert.equal(checkout([{ price: 12.5, count: 2 }]).due, 25)
})

test('a gift card pays what it can', () => {
  const { due, card } = checkout([{ price: 12.5, count: 2 }], { code: 'A', balance: 20 })
  assert.deepEqual([due, card.balance], [5, 0])
})
`

const BODY = `## Summary
Customers can pay with a gift card. The card pays what it can, the rest is paid as usual, and what is left stays on it.

## Test plan
- \`npm test\`: the balance, the rest, negative amounts, and the checkout with and without a card
`

const plan = grove(
  'propose_plan',
  { summary: 'Cards first, then the checkout.', steps: STEPS },
  'Nothing is open. The plan:',
)
/** Conversations of planning and implementation go on, so the newest words tell where they are. */
const at = (newest: string) => ({ newest })
const forever = 'forever' as const

export const FEATURE: Told[] = [
  { when: { tool_result: 'Decision' }, reply: plan, repeat: forever },
  {
    when: at('Bring the plan up to date'),
    reply: grove('propose_plan', { steps: STEPS }, 'The decision is part of the first step.'),
    repeat: forever,
  },
  {
    when: { newest: 'src/gift-cards/redeem.mjs', tool_result: 'created' },
    reply: write('test/gift-cards.test.mjs', CARDS_TEST, 'And what it promises, as tests.'),
  },
  {
    when: { tool_result: 'test/gift-cards.test.mjs' },
    reply: grove('complete_step', {
      stepId: 'cards',
      summary: 'redeem() pays at most the balance and refuses negative amounts',
    }),
  },
  { when: { tool_result: 'src/checkout/checkout.mjs' }, reply: write('test/checkout.test.mjs', CHECKOUT_TEST) },
  {
    when: { tool_result: 'test/checkout.test.mjs' },
    reply: grove('complete_step', { stepId: 'checkout', summary: 'checkout() takes a gift card and says what is due' }),
  },
  { when: at('You plan this feature'), reply: read('src/checkout/checkout.mjs', 'I look at the checkout first.') },
  {
    when: { last_user: 'You plan this feature', tool_result: 'export function checkout' },
    reply: grove('ask_decision', { questions: QUESTIONS }, 'Two things only you can decide.'),
  },
  { when: at('Review this plan'), reply: grove('report_review', { findings: [FINDING] }, 'One thing could go wrong.') },
  {
    when: at('Review this plan'),
    reply: grove('report_review', { findings: [] }, 'Nothing is left to decide.'),
    repeat: forever,
  },
  {
    when: at('Implement the step cards'),
    reply: write('src/gift-cards/redeem.mjs', CARDS, 'A function of its own, without any input or output.'),
  },
  {
    when: at('Implement the step checkout'),
    reply: write('src/checkout/checkout.mjs', CHECKOUT, 'The checkout asks the card first.'),
  },
  {
    when: at('Write the pull request'),
    reply: grove('report_pr', { title: 'Pay with a gift card', body: BODY }),
    repeat: forever,
  },
  {
    when: at('fresh eyes'),
    reply: grove('report_review', { findings: [] }, 'The plan was followed, and every criterion has a test.'),
    repeat: forever,
  },
  { when: at('Recorded'), reply: says('Done.'), repeat: forever },
]
