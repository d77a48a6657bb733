/** A small shop as its team has left it: the files of each commit, oldest first. */

export interface Commit {
  message: string
  files: Record<string, string>
}

export const TOTAL_BEFORE = 'sum + roundCents(price * count)'

const CART_TOTAL = `import { roundCents } from '../pricing/round.mjs'

/** What the lines of a cart cost together. */
export function total(lines) {
  return lines.reduce((sum, { price, count }) => ${TOTAL_BEFORE}, 0)
}
`

export const SHOP: Commit[] = [
  {
    message: 'Begin',
    files: {
      'package.json': `${JSON.stringify({ name: 'shop', version: '1.4.0', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
      'README.md': '# Shop\n\n`npm test` runs the tests.\n',
      '.github/workflows/ci.yml':
        'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n',
      'src/catalogue/products.mjs':
        "export const products = new Map([\n  ['tea', 10.125],\n  ['mug', 12.5],\n  ['pot', 48],\n])\n",
      'src/pricing/round.mjs':
        '/** To whole cents. */\nexport function roundCents(amount) {\n  return Math.round(amount * 100) / 100\n}\n',
      'src/checkout/checkout.mjs':
        "import { total } from '../cart/total.mjs'\n\nexport function checkout(lines) {\n  return { due: total(lines), lines }\n}\n",
      'test/checkout.test.mjs':
        "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { checkout } from '../src/checkout/checkout.mjs'\n\ntest('asks for the total', () => {\n  assert.equal(checkout([{ price: 12.5, count: 2 }]).due, 25)\n})\n",
    },
  },
  {
    message:
      'Round prices once, when the total is shown\n\nRounding each line of an invoice first made its total differ from what the cart had shown by a cent.\nAmounts stay exact until the end; only the total is rounded, with roundCents.',
    files: {
      'src/cart/total.mjs': CART_TOTAL,
      'src/invoice/invoice.mjs':
        "import { roundCents } from '../pricing/round.mjs'\n\nexport function invoiceTotal(lines) {\n  const exact = lines.reduce((sum, { price, count }) => sum + price * count, 0)\n  return roundCents(exact)\n}\n",
      'src/pricing/round.mjs':
        '/** To whole cents. Amounts stay exact until they are shown: round totals, never lines. */\nexport function roundCents(amount) {\n  return Math.round((amount + Number.EPSILON) * 100) / 100\n}\n',
    },
  },
  {
    message:
      'Cache product prices for a minute\n\nThe price service allows 600 calls a minute; the catalogue page alone made 900.',
    files: {
      'src/catalogue/price-cache.mjs':
        'const kept = new Map()\n\nexport function cachedPrice(id, read, now) {\n  const known = kept.get(id)\n  if (known && now - known.at < 60_000) return known.price\n  const price = read(id)\n  kept.set(id, { price, at: now })\n  return price\n}\n',
    },
  },
  {
    message:
      'Check the signature of payment webhooks\n\nAnybody could post "paid" to /webhooks/payment. The signature is compared in constant time.',
    files: {
      'src/payment/webhook.mjs':
        "import { createHmac, timingSafeEqual } from 'node:crypto'\n\nexport function isSigned(body, signature, secret) {\n  const own = createHmac('sha256', secret).update(body).digest()\n  const given = Buffer.from(signature, 'hex')\n  return given.length === own.length && timingSafeEqual(own, given)\n}\n",
    },
  },
]

/** Another repository, whose team lets agents write only what an intent owns. */
export const PAYMENTS: Commit[] = [
  {
    message: 'Add captures and refunds',
    files: {
      'package.json': `${JSON.stringify({ name: 'payments', version: '2.0.1', private: true, type: 'module' }, null, 2)}\n`,
      'src/capture/capture.mjs':
        'export async function capture(order, send) {\n  return send({ order: order.id, amount: order.due })\n}\n',
      'src/refunds/limit.mjs':
        '/** Refunds above this wait for a person. */\nexport const REFUND_LIMIT = 100\n\nexport function needsPerson(amount) {\n  return amount > REFUND_LIMIT\n}\n',
      '.orchestration/active_intents.yaml': `active_intents:
  - id: INT-001
    name: Retry failed captures
    status: in_progress
    owned_scope: [src/capture/**, test/capture/**]
    constraints: [No new dependencies]
    acceptance_criteria: [A capture that fails is tried twice more]
  - id: INT-002
    name: Raise the refund limit
    status: in_progress
    owned_scope: [src/refunds/**]
    constraints: []
    acceptance_criteria: [Refunds up to 250 need no person]
`,
      '.orchestration/.intentignore': '# Money moves: a person looks at each change.\nINT-002\n',
    },
  },
]
