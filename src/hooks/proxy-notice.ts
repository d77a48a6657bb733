import type { HookPart } from '#supervisor/handle-hook.ts'

/** The proxy of this home, or why there is none and what to do; `stranger`: another program listens on its port. */
export type ProxyState = { url: string; started: boolean } | { off: string; fix: string; stranger?: boolean }

interface Needs {
  /** Where this client sends its requests. */
  baseUrl: string | undefined
  port: number
  /** Looks for the proxy, starts one where that is wanted, and lets it prove itself. */
  reach(): Promise<ProxyState>
  /** Points the client's settings past the proxy; false where they did not point at it. */
  goPast(): Promise<boolean>
}

/**
 * Where no daemon runs, but Claude Code is pointed at the proxy, every request would fail, or go to the program that has taken the
 * port. So the daemon is started; where that cannot be, the settings are pointed past it and the user is told at once. A
 * prompt counts too: the daemon may have ended in between. A client that has not followed its settings by then (versions
 * before 2.1.305 do so late or never) would hand prompt and key to the stranger, so the prompt is not sent.
 */
export function proxyNotice({ baseUrl, port, reach, goPast }: Needs): HookPart {
  return {
    name: 'proxy notice',
    async handle({ hook_event_name: event }) {
      if (!baseUrl || !pointsHere(baseUrl, port)) return undefined
      if (event !== 'SessionStart' && event !== 'UserPromptSubmit') return undefined
      const state = await reach()
      if ('url' in state) {
        if (!state.started) return undefined
        return { notice: 'Grove was not running and has been started: Claude Code goes through its proxy.' }
      }
      const { off, fix, stranger } = state
      const isPast = await goPast()
      if (stranger && event === 'UserPromptSubmit') return { deny: `${off}. ${NOT_SENT} ${fix}` }
      if (isPast) {
        const until = 'older ones once you start them again'
        return { notice: `${off}. Claude Code now goes straight to the API: current clients at once, ${until}. ${fix}` }
      }
      if (event !== 'SessionStart') return undefined
      const past = 'start Claude Code again with `grove claude`, or detach Grove with `grove unregister`'
      return { notice: `${off}, and this Claude Code goes through its proxy (${baseUrl}). ${fix} Then ${past}.` }
    },
  }
}

const NOT_SENT =
  'This Claude Code would send your words and your key there, so nothing was sent. Say it again; if you read this again, ' +
  'restart Claude Code (`claude --continue`).'

function pointsHere(baseUrl: string, port: number): boolean {
  if (!URL.canParse(baseUrl)) return false
  const url = new URL(baseUrl)
  return Number(url.port) === port && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
}
