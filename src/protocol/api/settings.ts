import { z } from 'zod'
import { texts } from './fields.ts'
import { route } from './route.ts'

const Setting = z
  .strictObject({
    key: z.string(),
    value: z.string().describe('Secrets are masked'),
    source: z.string().describe('Where it was set: the environment, a file, or the default'),
    environment: texts.describe('The variables that set it'),
    about: z.string(),
  })
  .meta({ id: 'Setting', description: 'A setting as it is in effect.' })
export type Setting = z.infer<typeof Setting>

/** `attach`: adds the hooks of Grove to Claude Code, as `grove init` does; `grove unregister` undoes it. */
const REMEDIES = ['attach'] as const
export type Remedy = (typeof REMEDIES)[number]

const DoctorFinding = z
  .strictObject({
    check: z.string(),
    status: z.enum(['ok', 'warn', 'fail']),
    detail: z.string(),
    fix: z.string().exactOptional().describe('What to do about it'),
    remedy: z.enum(REMEDIES).exactOptional().describe('What Grove can do about it itself, when a person asks for it'),
  })
  .meta({ id: 'DoctorFinding' })
export type DoctorFinding = z.infer<typeof DoctorFinding>

/** Where the page of a demo leads to see what its scene tells. */
const DEMO_PLACES = ['Inbox', 'Agents', 'Memory', 'Learnings', 'Intents', 'Insights'] as const

export const DemoScene = z
  .strictObject({ text: z.string(), place: z.enum(DEMO_PLACES), hint: z.string().describe('What there is to see') })
  .meta({ id: 'DemoScene', description: 'What `grove demo` plays now.' })
export type DemoScene = z.infer<typeof DemoScene>

export const settingRoutes = {
  list: route({
    method: 'GET',
    path: '/api/settings',
    summary: 'Lists every setting of the daemon with its value and where that was set.',
    answer: z.strictObject({ settings: z.array(Setting), problems: texts.describe('Settings that could not be read') }),
  }),
  doctor: route({
    method: 'GET',
    path: '/api/doctor',
    summary: 'Checks the machine and how Grove is attached, as `grove doctor` does. Takes a second or two.',
    answer: z.strictObject({ findings: z.array(DoctorFinding) }),
  }),
  fix: route({
    method: 'POST',
    path: '/api/doctor/fix',
    summary: 'Does what a finding of the doctor offers. It can be undone, as its fix says.',
    person: true,
    body: z.strictObject({ remedy: z.enum(REMEDIES) }),
    answer: z.strictObject({ done: z.string().describe('What was done, in a sentence') }),
  }),
  demo: route({
    method: 'GET',
    path: '/api/demo',
    summary: 'Tells what `grove demo` plays now; null for every other Grove.',
    answer: z.strictObject({ scene: DemoScene.nullable() }),
  }),
}
