import type { HookPart } from '#supervisor/handle-hook.ts'

/**
 * Where no daemon runs, but Claude Code is pointed at the proxy, every request will fail. Nothing can be done about it
 * from here, so the user is told at once what to do.
 */
export function proxyNotice(baseUrl: string | undefined, port: number): HookPart {
  return {
    name: 'proxy notice',
    async handle(event) {
      if (event.hook_event_name !== 'SessionStart' || !baseUrl || !pointsHere(baseUrl, port)) return undefined
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
