import { directly } from '#config/company-proxy.ts'

/** The variable that every process of a run inherits. */
export const MARKER = 'GROVE_SPAWN'

/** Subagents and commands end within the turn that started them; newer clients would let them run on by default. */
export const FOREGROUND = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' }

/** What a program needs on any machine. */
const BASE =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|TERM|COLORTERM|XDG_\w+|SSH_AUTH_SOCK|DISPLAY|SystemRoot|SYSTEMROOT|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE)$/

/** How the client reaches its API and shows who the user is. */
const CLIENT =
  /^(?:ANTHROPIC_\w+|CLAUDE_CONFIG_DIR|CLAUDE_CODE_(?:OAUTH_TOKEN|USE_\w+|SKIP_\w+_AUTH|API_KEY_\w+|CLIENT_\w+|MAX_OUTPUT_TOKENS|EFFORT_LEVEL|SUBAGENT_MODEL)|(?:HTTPS?|NO|ALL)_PROXY|(?:https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/

/** Cloud credentials, for users who reach the model through a cloud provider. */
const CLOUDS = [
  { uses: 'CLAUDE_CODE_USE_BEDROCK', names: /^AWS_\w+$/ },
  { uses: 'CLAUDE_CODE_USE_VERTEX', names: /^(?:GOOGLE_\w+|CLOUD_ML_REGION|VERTEX_REGION_\w+)$/ },
  { uses: 'CLAUDE_CODE_USE_FOUNDRY', names: /^AZURE_\w+$/ },
]

/**
 * The environment of a run: a clean base and what the client needs. The daemon's other variables stay out, since every
 * command that the agent runs could read them.
 */
export function childEnvironment(
  own: Record<string, string | undefined>,
  { spawnId, baseUrl, pass = [] }: { spawnId: string; baseUrl?: string | undefined; pass?: readonly string[] },
): Record<string, string> {
  const wanted = [BASE, CLIENT, ...CLOUDS.filter(({ uses }) => own[uses]).map(({ names }) => names)]
  const kept = Object.entries(own).flatMap(([name, value]) =>
    value !== undefined && (pass.includes(name) || wanted.some((names) => names.test(name))) ? [[name, value]] : [],
  )
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    ...(baseUrl && { ANTHROPIC_BASE_URL: baseUrl, ...directly(own, baseUrl) }),
    [MARKER]: spawnId,
    ...FOREGROUND,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }
}
