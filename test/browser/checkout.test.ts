import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { put, serveScripted, step } from './support/scripted-server.ts'

async function fill(page: Page, url: string, title: string, folder: string): Promise<void> {
  await page.goto(`${url}/features/new`)
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Project folder').fill(folder)
  await page.getByLabel('Description').fill('People can log in.')
  await page.getByText('Branch and workplace').click()
  await page.getByLabel('In your checkout').check()
  await page.getByRole('button', { name: /Start discovery/ }).click()
}

it('asks before it works in a checkout with changes or with another feature, and gives back what it rolls back', {
  timeout: 300_000,
}, async ({ onTestFinished }) => {
  const { url, visit, project, complaints } = await serveScripted(onTestFinished, (turn) =>
    turn.heard.includes('Implement the step')
      ? async ({ end }) => {
          await put(turn, 'src/login.mjs', 'export const login = 1\n')
          end('failed', 'The connection was lost')
        }
      : async ({ call }) => void (await call('propose_plan', { steps: [step('a', 'src/login.mjs')] })),
  )
  const page = await visit()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()

  await writeFile(join(project.dir, 'src/a.mjs'), 'export const mine = 1\n')
  await fill(page, url, 'Add login', project.dir)
  await page.getByRole('dialog', { name: 'Your checkout has uncommitted changes' }).waitFor()
  await page.getByRole('button', { name: 'Stash them and start here' }).click()
  await page.getByRole('heading', { name: 'Add login' }).waitFor()
  expect(await project.git('stash', 'list')).not.toBe('')
  const first = page.url()

  await fill(page, url, 'Add logout', project.dir)
  await page.getByRole('dialog', { name: 'Another feature works in this checkout' }).waitFor()
  await page.getByRole('button', { name: 'Start in a worktree instead' }).click()
  await page.getByRole('heading', { name: 'Add logout' }).waitFor()

  await project.git('branch', 'mine', 'main')
  await page.goto(`${url}/features/new`)
  await page.getByLabel('Title').fill('Add more')
  await page.getByLabel('Project folder').fill(project.dir)
  await page.getByLabel('Description').fill('People can do more.')
  await page.getByText('Branch and workplace').click()
  await page.getByLabel('Feature branch').fill('mine')
  await page.getByRole('button', { name: /Start discovery/ }).click()
  await page.getByRole('dialog', { name: 'The branch exists already' }).waitFor()
  await page.getByRole('button', { name: 'Start with a number at its end' }).click()
  await page.getByRole('heading', { name: 'Add more' }).waitFor()
  await expect.poll(() => project.git('branch', '--list', 'mine-2'), { timeout: 60_000 }).not.toBe('')

  await page.goto(first)
  await page.getByLabel(/I approve plan v1/).check()
  await page.getByRole('button', { name: 'Approve plan v1 and start implementing' }).click()
  await page.getByRole('heading', { name: 'Claude ended with an error' }).waitFor()
  await page.getByRole('button', { name: 'More about this feature' }).click()
  await page.getByRole('menuitem', { name: 'Roll back to the base commit…' }).click()
  await page.getByRole('button', { name: 'Save everything and roll back' }).click()
  const told = page.getByRole('dialog', { name: 'Rolled back' })
  await told.waitFor()
  await expect(readFile(join(project.dir, 'src/login.mjs'))).rejects.toThrow('ENOENT')
  // The command that the dialog names brings the file back.
  const restore = (await told.locator('code').textContent())!
  expect(restore).toMatch(/^git /)
  execFileSync('sh', ['-c', restore], { cwd: project.dir, stdio: 'ignore' })
  expect(await readFile(join(project.dir, 'src/login.mjs'), 'utf8')).toBe('export const login = 1\n')
  expect(complaints).toEqual([])
})
