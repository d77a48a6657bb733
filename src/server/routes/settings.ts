import type { DoctorFinding, Remedy, Setting, settingRoutes } from '#protocol/api/settings.ts'
import type { Handlers } from '../serve-route.ts'

/** What the daemon knows of itself. */
export interface SelfKnowledge {
  settings(): { settings: Setting[]; problems: string[] }
  doctor(): Promise<DoctorFinding[]>
  /** Does what a finding offers; resolves to what was done, in a sentence. */
  fix(remedy: Remedy): Promise<string>
}

/** `/api/settings` and `/api/doctor`: how Grove is set up, and whether that holds. */
export function settingHandlers({ self }: { self: SelfKnowledge }): Handlers<typeof settingRoutes> {
  return {
    list: async () => self.settings(),
    doctor: async () => ({ findings: await self.doctor() }),
    fix: async ({ body }) => ({ done: await self.fix(body.remedy) }),
  }
}
