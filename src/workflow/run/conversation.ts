import { type Marker, MarkerReader } from '#core/workflow/markers.ts'
import { reportsOf } from '#core/workflow/reports.ts'
import { takeReport } from '../take-report.ts'
import type { Noted, RunFacts } from './facts.ts'

/** What the main conversation says, and the reports that stand in it as markers. */
export class RunWords {
  text = ''
  /** How many markers there were. */
  markers = 0
  readonly unclosed: string[] = []
  readonly #facts: RunFacts
  readonly #noted: Noted
  readonly #reader = new MarkerReader()
  readonly #gathered: Marker[] = []

  constructor(facts: RunFacts, noted: Noted) {
    this.#facts = facts
    this.#noted = noted
  }

  /** A marker is taken as soon as it is complete. */
  async read(text: string): Promise<void> {
    this.text += `${text}\n`
    await this.#take(this.#reader.push(`${text}\n`))
  }

  /** At the end of the turn: plan steps and questions are taken together, since they belong together. */
  async rest(): Promise<void> {
    await this.#take(this.#reader.end())
    for (const report of reportsOf(this.#gathered.splice(0))) {
      const isReview =
        report.type === 'questions' && (this.#facts.spec.task === 'review' || this.#facts.spec.task === 'pr_review')
      const findings = {
        type: 'review' as const,
        findings: isReview ? report.questions : [],
        clean: false,
        summary: '',
      }
      await takeReport(this.#facts.world, this.#facts.feature, isReview ? findings : report, 'marker')
    }
  }

  async #take({ markers, unclosed }: ReturnType<MarkerReader['push']>): Promise<void> {
    this.markers += markers.length
    this.unclosed.push(...unclosed)
    const isGathered = ({ name }: Marker) => name === 'PLAN_STEP' || name === 'DECISION_NEEDED'
    this.#gathered.push(...markers.filter(isGathered))
    const others = markers.filter((marker) => !isGathered(marker))
    for (const report of reportsOf(others)) {
      if (report.type === 'status') this.#noted.testOnly = report.status.workType === 'TESTING'
      await takeReport(this.#facts.world, this.#facts.feature, report, 'marker')
    }
  }
}
