import { expect, it } from 'vitest'
import { openerFor } from './open.ts'

it.each([
  ['darwin', {}, ['open']],
  ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
  ['linux', { DISPLAY: ':0' }, ['xdg-open']],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
  ['linux', { WSL_DISTRO_NAME: 'Ubuntu' }, ['wslview']],
  // Over ssh there is no screen to open anything on.
  ['linux', {}, undefined],
  ['darwin', { BROWSER: 'firefox' }, ['firefox']],
] as const)('opens a link on %s with %j by %j', (platform, env, program) => {
  expect(openerFor(platform, env)).toEqual(program)
})
