import { describe, expect, it } from 'vitest'
import { hear, limitOn, ordersIn } from '../orders.ts'

const closed = (text: string, path: string) => limitOn(ordersIn(text), path) !== undefined

describe('a limit in few words', () => {
  it.each([
    ['Raise the timeout in staging. Neither live nor legacy/.', 'deploy/live/values.yaml'],
    ['Corrige src/total.ts. Ni prod ni legacy.', 'deploy/prod/values.yaml'],
    ['Fix src/total.ts. Nothing in infra/ please', 'infra/main.tf'],
    ['Behebe src/total.ts. In den Tests wird nichts geändert, an den docs auch nicht', 'docs/guide.md'],
    ['Почини src/total.ts. Словарь (data/words.txt) и notes.md не трогай', 'data/words.txt'],
    ['Fix src/total.ts. PressureGuard and docs/hazards.md stay as they are', 'src/PressureGuard.ts'],
    ["Fix src/total.ts. Don't touch src/tax.ts and leave the rest alone", 'src/tax.ts'],
    ['Corrige src/total.ts. Os ficheiros de infra/ são do cluster, ahí no toques nada', 'infra/main.tf'],
  ])('%s: %s', (text, path) => {
    expect(closed(text, path)).toBe(true)
    expect(closed(text, 'src/total.ts')).toBe(false)
  })

  it('takes no verb of a change for a refusal', () => {
    expect(closed('Pas lib/display.c aan.', 'lib/display.c')).toBe(false)
  })

  it('closes the rest, and not what is named before it', () => {
    const text = 'Radio-Datei und ihre Tests in src/radio.ts, mehr bitte nicht anfassen'
    expect(closed(text, 'src/radio.ts')).toBe(false)
  })
})

describe('leave that the agent had asked for', () => {
  const standing = ordersIn('Fix src/total.ts, do not touch the tests')
  it.each([
    ['yes, update them', false],
    ['sì, aggiornali pure', false],
    ['oui, corrige-les', false],
    ['yes, commit it', true],
    ['yes', true],
  ])('%s: still closed is %s', (said, isClosed) => {
    expect(limitOn(hear(standing, said), 'tests/total.test.ts') !== undefined).toBe(isClosed)
  })
})
