import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Learning } from '../../src/core/learning/learning.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { openTeamDatabase } from '../../src/storage/team/database.ts'
import { findSent, takeBack } from '../../src/supervisor/memory/take-back.ts'
import { log, teamHomes } from '../support/team-homes.ts'
import { PROJECT, sharesOf, shelfOf } from '../support/team-memories.ts'

let url: string
const { home, newDatabase, sync } = teamHomes((fresh) => {
  url = fresh
})

describe('what was learned', () => {
  const learned = (id: string, more: Partial<Learning> = {}): Learning => ({
    id: `lrn_${id}`,
    category: 'pitfall',
    summary: `Pass --runInBand to the ${id} tests`,
    detail: 'They share one sandbox account and delete the customers of each other.',
    scope: 'project',
    confidence: 'high',
    criteriaMet: ['behavior_changing'],
    tags: ['tests'],
    contextFiles: ['jest.config.js'],
    author: 'ada',
    at: 1000,
    status: 'active',
    ...more,
  })
  const put = (store: Store, ...learnings: Learning[]) => {
    for (const one of learnings) shelfOf(store).set(one.id, one)
  }
  const known = (store: Store) => [...shelfOf(store).values()].sort((a, b) => (a.id < b.id ? -1 : 1))

  it('becomes one set for the whole team, entry by entry, with its author', async ({ onTestFinished }) => {
    const [ada, ben] = [await home(onTestFinished), await home(onTestFinished)]
    put(ada, learned('payment'), learned('mail'))
    put(ben, learned('cart', { author: 'ben' }))
    expect(await sync(ada)).toMatchObject([{ pushed: 2, pulled: 0 }])
    expect(await sync(ben)).toMatchObject([{ pushed: 1, pulled: 2 }])
    await sync(ada)
    expect(known(ada)).toEqual([learned('cart', { author: 'ben' }), learned('mail'), learned('payment')])
    expect(known(ben)).toEqual(known(ada))
    expect(await sync(ada)).toMatchObject([{ pushed: 0, pulled: 0 }])

    put(ada, learned('mail', { status: 'archived', changedAt: 2000 }))
    put(ben, learned('mail', { detail: 'An older edit, which loses.', changedAt: 1500 }))
    await sync(ada)
    await sync(ben)
    await sync(ada)
    expect(known(ben)).toEqual(known(ada))
    expect(shelfOf(ben).get('lrn_mail')).toMatchObject({ status: 'archived', changedAt: 2000 })
  })

  it('is sent again when the team has lost it, and leaves no secret there', async ({ onTestFinished }) => {
    const ada = await home(onTestFinished)
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`
    put(ada, learned('token', { detail: `The deploy key ${secret} is read at the start.` }))
    await sync(ada)
    await newDatabase()
    await sync(ada)
    const ben = await home(onTestFinished)
    await sync(ben)
    expect(known(ben)).toHaveLength(1)
    expect(JSON.stringify(known(ben))).not.toContain(secret)
  })

  it('can be taken back by its author, and does not come back', async ({ onTestFinished }) => {
    const [ada, ben] = [await home(onTestFinished), await home(onTestFinished)]
    put(ada, learned('payment'))
    put(ben, learned('cart', { author: 'ben' }))
    await sync(ada)
    await sync(ben)
    const team = await openTeamDatabase({ url, log })
    onTestFinished(() => team.close())
    const [sent] = await findSent(team, 'ada', [PROJECT])
    expect(sent!.own.map(({ id }) => id)).toEqual(['lrn_payment'])
    await takeBack(
      { shares: sharesOf(ada), team, clock: { now: Date.now } },
      { projectId: PROJECT, items: sent!.own, by: 'ada' },
    )
    await sync(ben)
    expect(known(ben).map(({ id }) => id)).toEqual(['lrn_cart'])
    // A file that git carries may hold it still.
    put(ben, learned('payment', { changedAt: 3000 }))
    await sync(ben)
    await sync(ada)
    expect(known(ada).map(({ id }) => id)).toEqual(['lrn_cart', 'lrn_payment'])
    const carl = await home(onTestFinished)
    await sync(carl)
    expect(known(carl).map(({ id }) => id)).toEqual(['lrn_cart'])
  })

  it('is set aside where it is no learning, and taken once it was mended', async ({ onTestFinished }) => {
    const [ada, ben] = [await home(onTestFinished), await home(onTestFinished)]
    put(ada, learned('payment'))
    await sync(ada)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    const rows: [id: string, body: object][] = [
      ['lrn_own', { ...learned('own'), scope: 'personal' }],
      ['lrn_x --> <b>', learned('x')],
      ['lrn_long', learned('long', { detail: 'x'.repeat(5000) })],
      ['lrn_mute', { scope: 'project' }],
    ]
    for (const [id, body] of rows) {
      await client.query(
        `with counted as (update grove_team.projects set change = change + 1 where id = $1 returning change)
         insert into grove_team.items (project_id, kind, id, version, author, body, change)
         select $1, 'learning', $2, 1, 'eve', $3::jsonb, change from counted`,
        [PROJECT, id, JSON.stringify(body)],
      )
    }
    const [first] = await sync(ben)
    expect(first?.error).toBeUndefined()
    expect(known(ben).map(({ id }) => id)).toEqual(['lrn_payment'])
    expect(first?.setAside?.map(({ id }) => id).sort()).toEqual(rows.map(([id]) => id).sort())
    await client.query(`update grove_team.items set body = $1::jsonb where id = 'lrn_mute'`, [
      JSON.stringify({ scope: 'team', summary: 'Never on\nFridays', detail: 'The bank is closed on Saturdays.' }),
    ])
    const [second] = await sync(ben)
    expect(shelfOf(ben).get('lrn_mute')?.summary).toBe('Never on Fridays')
    expect(second?.setAside).toHaveLength(3)
  })
})
