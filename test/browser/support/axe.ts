import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  id: string
  impact: string
  nodes: { html: string; failureSummary: string }[]
}

/** What axe finds serious or worse on a page as it stands, in one theme. */
export async function seriousFindings(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe)
  const found = await page.evaluate<Finding[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  )
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary.split('\n')[1] ?? ''}`)
          .join(' | ')}`,
    )
}

/** By how many pixels a page is wider than its window, at each width at which it is. */
export async function tooWide(page: Page, widths: number[]): Promise<string[]> {
  const over: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const by = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    if (by > 0) over.push(`${by} px too wide at ${width}`)
  }
  return over
}
