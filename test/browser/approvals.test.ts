import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { grove, place, startGrove, withBinary } from '../cli/grove.ts'
import { findBrowser, openPage } from '../support/browser.ts'
import { intentsYaml } from '../support/guarded.ts'
import { send } from '../support/http-client.ts'
import { createProject } from '../support/project.ts'

withBinary()

type WhenFinished = (work: () => Promise<void>) => void

/** A daemon, a project whose intent needs a person's word, and an agent that has chosen it. */
async function setStage(whenFinished: WhenFinished) {
  const project = await createProject({
    '.orchestration/active_intents.yaml': intentsYaml({ auth: ['src/**'] }),
    '.intentignore': 'auth\n',
    'src/a.ts': 'export const a = 1\n',
  })
  whenFinished(project.remove)
  const here = { ...place(), cwd: project.dir }
  const daemon = await startGrove(here, 'up')
  whenFinished(async () => {
    daemon.kill('SIGKILL')
    await daemon.exit
  })
  expect(await grove(here, 'intent', 'select', 'auth', '--session', 's1')).toMatchObject({ code: 0 })
  const token = (await readFile(join(here.home, 'token'), 'utf8')).trim()
  let calls = 0
  /** The agent wants to write; resolves to the hook's answer once a person has decided. */
  const write = async (name: string) => {
    const body = JSON.stringify({
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      cwd: project.dir,
      tool_name: 'Write',
      tool_input: { file_path: join(project.dir, name), content: 'x' },
      tool_use_id: `toolu_${++calls}`,
    })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return (await send(`${daemon.url('Web')}/hooks/pre-tool-use`, { headers, body })).body.toString()
  }
  return { url: daemon.url('Web'), link: daemon.url('Open'), write }
}

const browser = findBrowser()

// Where there is no browser, what the page would send is sent without one; that its buttons do so then stays unproved.
if (browser)
  describe('the page, in Chromium', () => {
    it('shows what an agent waits for, and the person’s click decides', async ({ onTestFinished }) => {
      const { link, write } = await setStage(onTestFinished)
      const page = await openPage(browser, link, onTestFinished)
      await page.until('document.querySelector("#state")?.dataset.state === "up"')
      expect(await page.read('document.querySelector("#waiting").hidden')).toBe(true)

      const first = write('src/a.ts')
      await page.until('document.querySelectorAll(".ask").length === 1')
      const words = await page.read<string>('document.querySelector(".ask").innerText')
      expect(words).toContain('Write src/a.ts')
      expect(words).toContain('for auth')
      await page.click('document.querySelector(".ask button:nth-of-type(1)")')
      expect(await first).not.toContain('deny')
      await page.until('document.querySelector("#waiting").hidden')

      const second = write('src/<img src=x onerror=alert(1)>.ts')
      await page.until('document.querySelectorAll(".ask").length === 1')
      // What an agent says is text, never markup.
      expect(await page.read('document.querySelectorAll(".ask img").length')).toBe(0)
      await page.click('[...document.querySelectorAll(".ask button")].find((b) => b.textContent === "Reject")')
      expect(JSON.parse(await second)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
      await page.until('document.querySelector("#waiting").hidden')
    })
  })
else
  describe('the page, without a browser', () => {
    it('has a script that parses, and a key with which an answer counts', async ({ onTestFinished }) => {
      const { url, link, write } = await setStage(onTestFinished)
      const opened = await send(link, { method: 'GET' })
      const cookie = opened.headers['set-cookie']![0]!.split(';')[0]!
      const html = (await send(url, { method: 'GET', headers: { cookie } })).body.toString()
      expect(() => new Script(/<script[^>]*>(.*)<\/script>/s.exec(html)![1]!)).not.toThrow()
      const key = /<meta name="grove-page" content="([^"]+)">/.exec(html)![1]!
      const held = write('src/a.ts')
      const waiting = async () =>
        JSON.parse((await send(`${url}/api/approvals`, { method: 'GET', headers: { cookie } })).body.toString())
      let approvals: { id: string }[] = []
      while (approvals.length === 0) ({ approvals } = await waiting())
      const headers = { cookie, origin: url, 'content-type': 'application/json', 'x-grove-page': key }
      const path = `/api/approvals/${approvals[0]!.id}`
      const asked = await send(`${url}/api/gestures`, { headers, body: JSON.stringify({ for: `POST ${path}` }) })
      const { gesture } = JSON.parse(asked.body.toString())
      const body = '{"answer":"approve"}'
      const answer = await send(`${url}${path}`, { headers: { ...headers, 'x-grove-gesture': gesture }, body })
      expect(answer.status).toBe(200)
      expect(await held).not.toContain('deny')
    })
  })
