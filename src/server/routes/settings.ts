import type { DemoScene, DoctorFinding, Remedy, Setting, settingRoutes } from '#protocol/api/settings.ts'
import type { Handlers } from '../serve-route.ts'

/** What the daemon knows of itself. */
export interface SelfKnowledge {
  settings(): { settings: Setting[]; problems: string[] }
  doctor(): Promise<DoctorFinding[]>
  /** Does what a finding offers; resolves to what was done, in a sentence. */
  fix(remedy: Remedy): Promise<string>
  /** What is played, where this is a demo. */
  scene(): DemoScene | null
}

/** `/api/settings`, `/api/doctor` and `/api/demo`: how Grove is set up, whether that holds, and whether it is all a play. */
export function settingHandlers({ self }: { self: SelfKnowledge }): Handlers<typeof settingRoutes> {
  return {
    list: async () => self.settings(),
    doctor: async () => ({ findings: await self.doctor() }),
    demo: async () => ({ scene: self.scene() }),
    fix: async ({ body }) => ({ done: await self.fix(body.remedy) }),
  }
}
