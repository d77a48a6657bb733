/** The settings that most people change, in the order in which they meet them. */
export const IMPORTANT_SETTINGS = [
  'port',
  'proxy.port',
  'memory.remember',
  'memory.inject',
  'gate.enabled',
  'gate.ask',
  'guard.approval_wait_seconds',
  'guard.ask_in',
  'judge.kind',
  'database.url',
]
