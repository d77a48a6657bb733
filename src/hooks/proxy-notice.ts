import type { HookPart } from '#supervisor/handle-hook.ts'

/**
 * Where no daemon runs, but Claude Code is pointed at the proxy, every request will fail. So the daemon is started; where
 * that is not wanted, the user is told at once what to do. A prompt counts too: the daemon may have ended in between.
 */
export function proxyNotice(baseUrl: string | undefined, port: number, start: () => boolean): HookPart {
  return {
    name: 'proxy notice',
    async handle({ hook_event_name: event }) {
      if (!baseUrl || !pointsHere(baseUrl, port)) return undefined
      if (event !== 'SessionStart' && event !== 'UserPromptSubmit') return undefined
      if (start()) return { notice: `Grove was not running and is being started: Claude Code goes through its proxy.` }
      if (event !== 'SessionStart') return undefined
      return {
        notice: `Grove is not running, and Claude Code goes through its proxy (${baseUrl}). Start it with \`grove up\`, or detach it with \`grove unregister\`.`,
      }
    },
  }
}

function pointsHere(baseUrl: string, port: number): boolean {
  if (!URL.canParse(baseUrl)) return false
  const url = new URL(baseUrl)
  return Number(url.port) === port && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
}
