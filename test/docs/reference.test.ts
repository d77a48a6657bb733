import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cliPage } from '../../scripts/cli-page.ts'

it('docs/cli.md is what the commands say of themselves (npx vitest run test/docs -u writes it)', async () => {
  await expect(await cliPage()).toMatchFileSnapshot(join(import.meta.dirname, '..', '..', 'docs', 'cli.md'))
})
