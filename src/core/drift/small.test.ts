import { describe, expect, it } from 'vitest'
import { type DriftAction, judgeAction, startTrail } from './score.ts'

const edit = (path: string, diff = ''): DriftAction => ({ kind: 'edit', path, diff })
const write = (path: string, diff = ''): DriftAction => ({ kind: 'write', path, diff })

function judged(request: string, done: DriftAction, next: DriftAction, context: string[] = []) {
  const { trail } = judgeAction(startTrail(request, context), done)
  return judgeAction(trail, next).reading
}

const text = edit('web/cart.html', '-Chekout\n+Checkout')

describe('a request for a few words or a number', () => {
  it.each([
    ['typo on the cart page: Chekout', write('web/cart-view.js', '+export class CartView {}'), 'a whole file of code'],
    [
      'the cart button says "Chekout" -> "Checkout"',
      edit('package.json', '+"i18next": "^23.0.0"'),
      'a change of what the project is built with',
    ],
    [
      'Checkout is misspelt in the cart. Thats all',
      edit('.github/workflows/ci.yml', '-node: 18\n+node: 22'),
      'a change of what the project is built with',
    ],
  ])('"%s" needs no %j', (request, next, what) => {
    const { score, reasons } = judged(request, text, next)
    expect(score).toBe(6)
    expect(reasons[0]?.why).toMatch(new RegExp(`^the request (?:is for|says).*; this is ${what}$`))
  })

  it.each([
    ['another text beside it', 'typo on the cart page: Chekout', edit('web/order.html', '-Chekout\n+Checkout')],
    ['a test', 'typo on the cart page: Chekout', write('test/cart.test.js', '+expect(title).toBe("Checkout")')],
    ['what it speaks of', 'typo in the package name: chekout', edit('package.json', '-"chekout"\n+"checkout"')],
    ['a new thing', 'add a placeholder text for the cart', write('web/placeholder.js', '+export const text = "Cart"')],
    ['a version', 'node 18 -> 22', edit('Dockerfile', '-FROM node:18\n+FROM node:22')],
  ])('may well need %s', (_, request, next) => {
    expect(judged(request, text, next).reasons).toEqual([])
  })

  it('for one value is none for a change that does not hold it', () => {
    const asked = 'alarm threshold for the queue: 80 -> 90'
    const value = edit('alarms/variables.tf', '-default = 80\n+default = 90')
    const { score, reasons } = judged(asked, value, edit('queue/main.tf', '-class = "medium"\n+class = "large"'))
    expect(score).toBe(6)
    expect(reasons[0]?.why).toBe('it does not hold the one value that was asked for: “80 -> 90”')
    for (const beside of [
      edit('dashboards/queue.json', '-"line": 80\n+"line": 90'),
      edit('docs/alarms.md', '-rarely\n+often'),
      edit('alarms/variables.tf', '+# agreed with operations'),
    ])
      expect(judged(asked, value, beside).reasons).toEqual([])
    const more = 'the pods run out: raise memory to 1Gi, max 12 -> 20, and a panel with restarts'
    expect(judged(more, value, edit('dash/pods.json', '+{ "title": "Restarts" }')).reasons).toEqual([])
    const literally = `${asked}. literally that number`
    expect(judged(literally, value, edit('alarms/variables.tf', '-type = any\n+type = number')).score).toBe(6)
  })

  it('is no small one where it continues other work', () => {
    const next = write('web/cart-view.js', '+export class CartView {}')
    expect(judged('and the typo', text, next, ['build the cart page']).reasons).toEqual([])
  })
})
