import type { HostToolAnswer, HostToolCall, ToolDecision, ToolRequest } from '#core/ports/agent-driver.ts'
import { answerWords } from '#core/workflow/questions.ts'
import { readToolInput, type WorkflowTool } from '#protocol/workflow/tools.ts'
import { askedByTool } from '../new-questions.ts'
import { AFTER_ANSWERS } from '../prompts/discovery.ts'
import { takeReport } from '../take-report.ts'
import { ownTool, ruleOn } from '../tool-rules.ts'
import type { Noted, RunFacts } from './facts.ts'
import { batchOf, decisionsOn, isAnswered, unpark } from './parked.ts'

/** Decides on tool calls, and answers calls of Grove's own tools. */
export class RunCalls {
  readonly #facts: RunFacts
  readonly #noted: Noted
  /** Called when the client has repeated the call that it parked. */
  readonly #reasked: () => void

  constructor(facts: RunFacts, noted: Noted, reasked: () => void) {
    this.#facts = facts
    this.#noted = noted
    this.#reasked = reasked
  }

  async decide(call: ToolRequest): Promise<ToolDecision> {
    const own = ownTool(call.tool)
    if (own === 'ask_decision' || call.tool === 'AskUserQuestion') return this.#decideQuestion(call, own)
    if (own) return { type: 'allow' }
    if (call.tool === 'ExitPlanMode') return this.#notePlan(call)
    const place = {
      task: this.#facts.spec.task,
      cwd: this.#facts.feature.session.folder,
      stateFolder: this.#facts.feature.folder,
      isOver: this.#facts.feature.session.task !== this.#facts.task,
    }
    const decision = await ruleOn(this.#facts.world.tools, call, place)
    if (decision.type === 'deny') await this.#denied(call.tool, decision.message)
    return decision
  }

  /** Parks a question, since a person may take days; the client repeats the call when the answers are there. */
  async #decideQuestion(call: ToolRequest, own: WorkflowTool | undefined): Promise<ToolDecision> {
    const { parked } = this.#facts.feature.session
    if (parked?.toolUseId === call.toolUseId && isAnswered(this.#facts.feature, parked.batch)) {
      this.#reasked()
      if (own) return { type: 'allow' }
      const answers = Object.fromEntries(
        batchOf(this.#facts.feature, parked.batch).map((one) => [one.questionText, answerWords(one)]),
      )
      await unpark(this.#facts.feature)
      return { type: 'allow', input: { ...call.input, answers } }
    }
    if (own) {
      const read = readToolInput('ask_decision', call.input)
      if (typeof read === 'string') return { type: 'deny', message: read }
    }
    return { type: 'defer' }
  }

  async #notePlan({ input }: ToolRequest): Promise<ToolDecision> {
    if (typeof input.plan === 'string') this.#noted.plan = input.plan
    if (typeof input.planFilePath === 'string') {
      await takeReport(
        this.#facts.world,
        this.#facts.feature,
        { type: 'plan_file', path: input.planFilePath },
        'native',
      )
    }
    const isIn = this.#facts.feature.session.task !== this.#facts.task
    return {
      type: 'deny',
      message: isIn
        ? 'The plan is recorded; people review it before anything is implemented. End your turn.'
        : 'People review the plan before anything is implemented. Hand it in with the tool propose_plan, then end your turn.',
    }
  }

  async #denied(tool: string, message: string): Promise<void> {
    await this.#facts.feature.update((files) => ({
      files,
      events: [{ type: 'execution.denied', tool, code: 'stage_rule', message }],
    }))
  }

  async callTool({ name, input, toolUseId }: HostToolCall): Promise<HostToolAnswer> {
    const tool = name as WorkflowTool
    if (tool === 'ask_decision') return this.#giveAnswers(toolUseId)
    const given = readToolInput(tool, input)
    if (typeof given === 'string') return { text: given, isError: true }
    const take = (report: Parameters<typeof takeReport>[2]) =>
      takeReport(this.#facts.world, this.#facts.feature, report, 'tool')
    if ('steps' in given) return take({ type: 'plan', summary: given.summary, steps: given.steps })
    if ('reason' in given) return take({ type: 'plan_kept', reason: given.reason })
    if ('findings' in given) {
      const findings = given.findings.map(askedByTool)
      return take({ type: 'review', findings, clean: findings.length === 0, summary: given.summary })
    }
    if ('testsStatus' in given) {
      this.#noted.testOnly = given.workType === 'TESTING'
      return take({ type: 'status', status: given })
    }
    if ('stepId' in given) return take({ type: 'step_complete', stepId: given.stepId, summary: given.summary })
    if ('title' in given) return take({ type: 'pr', title: given.title, body: given.body })
    return { text: 'There is no such report.', isError: true }
  }

  async #giveAnswers(toolUseId: string | undefined): Promise<HostToolAnswer> {
    const { parked } = this.#facts.feature.session
    if (!parked || (toolUseId !== undefined && toolUseId !== parked.toolUseId)) {
      return { text: 'There is no answer yet. End your turn; the answers come as a message.', isError: true }
    }
    const decisions = decisionsOn(this.#facts.feature, parked.batch)
    await unpark(this.#facts.feature)
    const { task, prompt } = this.#facts.spec
    const next = task === 'discover' ? AFTER_ANSWERS : [...prompt.parts, prompt.text].join('\n\n')
    return { text: `${decisions.join('\n\n')}\n\n${next}` }
  }
}
