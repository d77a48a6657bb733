import { TOTAL_BEFORE } from './shop.ts'
import { bash, edit, grove, inOrder, read, says, type Told, write } from './told.ts'

/** What people ask for in their terminals, and how the agents go about it. */

export const PROMPTS = {
  total:
    'The cart total is a cent off when a cart has many lines. Fix src/cart/total.mjs: round the total once. Add a test for it.',
  capture: 'Add retries for captures: one that fails is tried twice more before we give up.',
  refunds: 'Raise the refund limit to 250, as finance has decided.',
}

const CART_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/cart/total.mjs'

const tea = { price: 10.125, count: 1 }

test('rounds the total, not each line', () => {
  assert.equal(total([tea, tea]), 20.25)
})

test('is nothing for an empty cart', () => {
  assert.equal(total([]), 0)
})

test('counts every piece of a line', () => {
  assert.equal(total([{ price: 12.5, count: 3 }]), 37.5)
})
`

const LEARNING = {
  category: 'pitfall',
  summary: 'Round totals with roundCents once, never each line of a cart or an invoice',
  detail:
    'Rounding every line in src/cart/total.mjs made carts with many lines differ by a cent from the invoice. Keep amounts exact in reduce and call roundCents on the sum, because invoiceTotal does the same.',
  tags: ['pricing', 'cart'],
  criteria_met: ['behavior_changing'],
  files: ['src/cart/total.mjs'],
}

/** Recalls what a teammate did, wanders off, is asked back, finishes, and leaves a learning. */
const total = inOrder('cent off', [
  read('src/cart/total.mjs', 'An earlier change had the same trouble with invoices. Let me see how the cart does it.'),
  edit(
    'src/cart/total.mjs',
    `return lines.reduce((sum, { price, count }) => ${TOTAL_BEFORE}, 0)`,
    'const exact = lines.reduce((sum, { price, count }) => sum + price * count, 0)\n  return roundCents(exact)',
    'Each line is rounded before it is added. Only the sum should be.',
  ),
  read('.github/workflows/ci.yml', 'The pipeline looks slow, too.'),
  write(
    '.github/workflows/ci.yml',
    'on: push\njobs:\n  test:\n    strategy:\n      matrix:\n        node: [20, 22, 24]\n    steps:\n      - run: npm ci\n      - run: npm test\n',
    'A matrix would be better here.',
  ),
  write('test/cart.test.mjs', CART_TEST, 'Nobody asked for the pipeline. Back to the cart: its test.'),
  bash('node --test', 'Do they pass?'),
  says(
    'The total is now rounded once, at the end, and three tests cover it. I also touched the pipeline: keep or drop that as you like.',
  ),
])

const reflection = inOrder('Before your final answer', [
  grove('reflect', { candidates: [LEARNING] }, 'What the next session should know:'),
  says('The cart total is rounded once now; tests pass. I kept what we learned about rounding.'),
])

const RETRY = `const TRIES = 3

/** Sends again what failed; the last failure is the caller's. */
export async function withRetries(send, payload) {
  for (let tried = 1; ; tried++) {
    try {
      return await send(payload)
    } catch (error) {
      if (tried === TRIES) throw error
    }
  }
}
`

/** Works for one intent, and is stopped where another one begins. */
const capture = inOrder('tried twice more', [
  grove('select_active_intent', { intent_id: 'INT-001', mutation_class: 'INTENT_EVOLUTION' }),
  read('src/capture/capture.mjs'),
  write('src/capture/retry.mjs', RETRY, 'The retries get a file of their own.'),
  read('src/refunds/limit.mjs', 'Refunds may fail in the same way.'),
  edit(
    'src/refunds/limit.mjs',
    'REFUND_LIMIT = 100',
    'REFUND_LIMIT = 1000',
    'A higher limit would need fewer retries.',
  ),
  edit(
    'src/capture/capture.mjs',
    'export async function capture(order, send) {\n  return send({ order: order.id, amount: order.due })',
    "import { withRetries } from './retry.mjs'\n\nexport async function capture(order, send) {\n  return withRetries(send, { order: order.id, amount: order.due })",
    'The refund limit is not mine to change. I stay with the captures.',
  ),
  says('Done: a capture that fails is now tried twice more before the error reaches the caller.'),
])

const raise = edit('src/refunds/limit.mjs', 'REFUND_LIMIT = 100', 'REFUND_LIMIT = 250', 'One line, with your consent.')

/** Changes what only a person may release, and waits for the word. */
const refunds: Told[] = [
  {
    when: { last_user: 'refund limit to 250', tool_result: 'user_rejected' },
    reply: says('Then the limit stays at 100.'),
  },
  { when: { last_user: 'refund limit to 250', tool_result: 'No answer' }, reply: raise, repeat: 'forever' },
  ...inOrder('refund limit to 250', [
    grove('select_active_intent', { intent_id: 'INT-002', mutation_class: 'INTENT_EVOLUTION' }),
    read('src/refunds/limit.mjs'),
    raise,
    says('Refunds up to 250 need no person any more.'),
  ]),
]

export const SESSIONS: Told[] = [...total, ...reflection, ...capture, ...refunds]
