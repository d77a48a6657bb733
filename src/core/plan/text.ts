import { inOrder } from './order.ts'
import type { PlanStep, ProposedStep } from './plan.ts'

/** The plan as Markdown, for prompts and for people. */
export function planMarkdown(steps: readonly PlanStep[], options: { status: boolean } = { status: false }): string {
  const depth = (step: PlanStep): number => {
    const parent = steps.find(({ id }) => id === step.parentId)
    return parent ? depth(parent) + 1 : 0
  }
  return inOrder(steps)
    .map((step) => {
      const facts = [
        ...(options.status ? [`Status: ${step.status}`] : []),
        ...(step.complexity ? [`Complexity: ${step.complexity}`] : []),
        ...(step.dependsOn.length > 0 ? [`After: ${step.dependsOn.join(', ')}`] : []),
        ...(step.ownedPaths.length > 0 ? [`Changes: ${step.ownedPaths.join(', ')}`] : []),
        ...(step.criteria.length > 0 ? [`Serves: ${step.criteria.join('; ')}`] : []),
      ]
      const heading = `${'#'.repeat(Math.min(6, depth(step) + 2))} ${step.id}: ${step.title}`
      return [heading, step.description, ...facts.map((fact) => `- ${fact}`)].filter(Boolean).join('\n')
    })
    .join('\n\n')
}

const HEADING = /^#{1,6}\s+(?:step\s+)?(?:(\d+(?:\.\d+)*|[a-z]+-\d+)\s*[:.)–—-]\s*)?(\S.*)$/i
const NUMBERED = /^(\d+)[.)]\s+(\S.*)$/

/**
 * Steps from a plan that was only written down: its numbered items, or else its headings below the first. Undefined when
 * there is nothing that looks like steps.
 */
export function stepsInMarkdown(text: string): ProposedStep[] | undefined {
  const lines = text.split('\n')
  const numbered = gather(lines, (line) => {
    const match = NUMBERED.exec(line)
    return match ? { id: match[1]!, title: match[2]! } : undefined
  })
  if (numbered.length >= 2) return named(numbered)
  const level = headingLevel(lines)
  const headed = gather(lines, (line) => {
    const match = line.startsWith('#'.repeat(level)) && line[level] !== '#' ? HEADING.exec(line) : null
    return match ? { id: match[1] ?? '', title: match[2]! } : undefined
  })
  return headed.length >= 1 ? named(headed) : undefined
}

/** The level at which headings repeat; else the deepest. */
function headingLevel(lines: string[]): number {
  const levels = lines.flatMap((line) => /^(#{1,6})\s/.exec(line)?.[1]?.length ?? [])
  return levels.find((level) => levels.filter((one) => one === level).length > 1) ?? Math.max(1, ...levels)
}

function gather(lines: string[], begins: (line: string) => { id: string; title: string } | undefined): ProposedStep[] {
  const steps: ProposedStep[] = []
  for (const line of lines) {
    const start = begins(line)
    const last = steps.at(-1)
    if (start) steps.push({ ...start, title: start.title.replace(/\*\*/g, '').trim(), description: '' })
    else if (last) last.description = `${last.description}\n${line}`
  }
  return steps
}

function named(steps: ProposedStep[]): ProposedStep[] {
  const ids = steps.map(({ id }) => id)
  const areGood = ids.every((id) => id !== '') && new Set(ids).size === ids.length
  return steps.map((step, index) => ({
    ...step,
    id: areGood ? `step-${step.id}` : `step-${index + 1}`,
    description: step.description.trim(),
  }))
}
