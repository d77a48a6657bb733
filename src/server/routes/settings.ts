import type { DemoScene, DoctorFinding, Remedy, Setting, settingRoutes } from '#protocol/api/settings.ts'
import type { Handlers } from '../serve-route.ts'

/** What the daemon knows of itself. */
export interface InstallationFacts {
  settings(): { settings: Setting[]; problems: string[] }
  doctor(): Promise<DoctorFinding[]>
  /** Applies the remedy that a finding offers; resolves to a sentence about what was done. */
  fix(remedy: Remedy): Promise<string>
  /** The scene being played, in a demo. */
  scene(): DemoScene | null
}

/**
 * `/api/settings`, `/api/doctor` and `/api/demo`: the settings, the doctor's findings and remedies, the scene of a
 * demo.
 */
export function settingHandlers({ self }: { self: InstallationFacts }): Handlers<typeof settingRoutes> {
  return {
    list: async () => self.settings(),
    doctor: async () => ({ findings: await self.doctor() }),
    demo: async () => ({ scene: self.scene() }),
    fix: async ({ body }) => ({ done: await self.fix(body.remedy) }),
  }
}
