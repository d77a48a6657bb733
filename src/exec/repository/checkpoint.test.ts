import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { redact } from '#core/redact/redact.ts'
import { restoreCommand } from './checkpoint.ts'

/** Letters and digits as a commit or an id has them. */
const hex = (of: string, length: number) => createHash('sha256').update(of).digest('hex').slice(0, length)

it('names the way back so that no part of it is taken for a secret', () => {
  for (let round = 0; round < 200; round++) {
    const id = hex(`id ${round}`, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    const ref = `refs/grove/feature-weigh-parcels-${hex(`feature ${round}`, 8)}/${id}-rollback-${hex(`commit ${round}`, 10)}`
    const command = restoreCommand(`/home/me/worktrees/shop-${hex(`project ${round}`, 8)}/weigh-parcels`, ref)
    expect(redact(command)).toBe(command)
  }
})
