import type { Environment } from '../process/environment.ts'
import { run } from '../spawn.ts'

/** Shows a desktop notification. It fails silently: over ssh there is no desktop. */
export type Notify = (title: string, text: string) => void

const PATIENCE_MS = 5000
const MOST = 300

export function desktopNotifier(env: Environment, platform: NodeJS.Platform = process.platform): Notify {
  return (title, text) => {
    const command = commandFor(env, platform, title.slice(0, MOST), text.slice(0, MOST))
    if (!command) return
    const [program, ...args] = command
    run(program!, args, { env, timeoutMs: PATIENCE_MS }).catch(() => {}) // Not installed: no notification.
  }
}

/** Texts are separate arguments, so no quote in them can break out. */
export function commandFor(
  env: Environment,
  platform: NodeJS.Platform,
  title: string,
  text: string,
): string[] | undefined {
  if (platform === 'darwin') {
    const script = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run']
    return ['osascript', ...script.flatMap((line) => ['-e', line]), '--', title, text]
  }
  const hasDesktop = env.DISPLAY || env.WAYLAND_DISPLAY
  if (platform !== 'linux' || !hasDesktop) return undefined
  // The body is markup there.
  const body = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return ['notify-send', '--app-name=Grove', '--', title, body]
}
