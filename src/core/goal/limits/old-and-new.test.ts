import { describe, expect, it } from 'vitest'
import { hear, limitOn, ordersIn } from '../orders.ts'

describe('a limit on what is there', () => {
  const migration = 'db/migrations/0009_season.sql'

  it.each([
    "old migrations are applied everywhere, so don't edit them, add a new one if you have to",
    'Never modify existing migrations',
    'Bestehende Migrationen nicht ändern, lieber eine neue anlegen',
    'Ne modifie pas les migrations existantes',
  ])('leaves room for what is new: %s', (text) => {
    expect(limitOn(ordersIn(text), migration, 'edits')).toBeDefined()
    expect(limitOn(ordersIn(text), migration, 'removes')).toBeDefined()
    expect(limitOn(ordersIn(text), migration, 'creates')).toBeUndefined()
  })

  it('closes new files with the old ones where nothing is said of them', () => {
    expect(limitOn(ordersIn("Don't touch the migrations"), migration, 'creates')).toBeDefined()
  })
})

describe('an "only" that is taken back', () => {
  const standing = ordersIn('Lap times jump. Only Timing.swift')

  it.each([
    'ok I see, debouncing belongs in the transponder. forget the "only Timing"',
    'drop the only-Timing thing, fix it where it belongs',
    'Vergiss das „nur Timing“',
  ])('holds no longer: %s', (text) => {
    expect(limitOn(standing, 'src/Transponder.swift')).toBeDefined()
    expect(limitOn(hear(standing, text), 'src/Transponder.swift')).toBeUndefined()
  })

  it('holds on where the words are about something else', () => {
    expect(limitOn(hear(standing, 'forget the debug output'), 'src/Transponder.swift')).toBeDefined()
  })
})

it('"no new code" closes no code that is there', () => {
  const orders = ordersIn('Delete the dead blocks in main/eva.c. Only comments and deletions, no new code added')
  expect(limitOn(orders, 'main/eva.c')).toBeUndefined()
})
