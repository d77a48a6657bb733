import { describe, expect, it } from 'vitest'
import { hear, limitOn, type Orders } from '../orders.ts'

const heard = (said: readonly string[]) =>
  said.reduce<Orders>((orders, text) => hear(orders, text), { constraints: [], expectedScope: [] })

const closes = (said: readonly string[], path: string) => limitOn(heard(said), path) !== undefined

describe('a file that the words ask to change stays open, and what they close stays closed', () => {
  it.each([
    // A pronoun speaks of what was told of, and not of all that was named before.
    [
      ['Use the limits of gen/limits.json in src/link.c. Limits are generated, so never edit them'],
      'src/link.c',
      'gen/limits.json',
    ],
    [['Write a README section on the fixtures. Do not change them.'], 'README.md', undefined],
    [['W tariff.json podbij wersję, uprawnień w nim nie ruszaj.'], 'tariff.json', undefined],
    [['Laga avrundningen i ticket.py men rör inte vagnarna'], 'ticket.py', 'vagnarna/list.py'],
    // Who names a file twice closes it by its own clause.
    [['Añade pruebas para tarifa.js. No toques tarifa.js'], 'test/tarifa.test.js', 'tarifa.js'],
    [['The labels are in lang/en.json (please leave alone), add lang/fi.json'], 'lang/fi.json', 'lang/en.json'],
    // Some words keep the work to what they mean, and not to a path that has all of them.
    [['Limit the change to the mobile app. The font is too small there'], 'mobile/font.ts', 'web/font.ts'],
    [['NO only make changes to move_seat'], 'seats.py', undefined],
    [['New keys only in fi.json, the rest of the form as drawn.'], 'src/form.ts', undefined],
    [
      ['src/gate.ts is the only file that needs changing: let it close after ten seconds'],
      'src/gate.ts',
      'src/ticket.ts',
    ],
    [['The only thing I want changed is scripts/pack.sh: sign before packing'], 'scripts/pack.sh', 'scripts/build.sh'],
    [['The ferry page is slow: pages/ferry.vue. That page only.'], 'pages/ferry.vue', 'pages/bus.vue'],
    // Nothing limits here.
    [['add --depth (takes 1, 2), README section as well'], 'README.md', undefined],
    [['voeg Havenweg toe als halte, zelfde opzet als kade.ex, met test'], 'test/halte_test.exs', undefined],
    [['Nothing in core/ should import from plugins/. Fix the places that do.'], 'plugins/base.py', undefined],
    [['Kodu QR nie ruszaj, dodaj logo w ticket.go'], 'mail/sender.go', undefined],
    [['The deck map loses its pins. The auth code is certified.'], 'src/pins.ts', undefined],
    // Code that is only to be described, and a tool that is only configured in code.
    [['lib/tide.rb has no comments. Write them, no code changes.'], 'lib/tide.rb', undefined],
    [['Upgrade vite. Do not edit any source file for it.'], 'vite.config.ts', 'src/main.ts'],
    [['Clean up deck.py, other modules untouched please'], 'test/deck_test.py', 'src/crew.py'],
    [['Add a cargo list. No new crates.'], 'src/cargo.rs', 'Cargo.toml'],
  ])('%j: %s stays open, %s does not', (said, open, closed) => {
    expect(closes(said, open)).toBe(false)
    if (closed !== undefined) expect(closes(said, closed)).toBe(true)
  })
})

describe('newer words', () => {
  it.each([
    // One file that is allowed does not open its folder, nor does a word that begins like it.
    [['Leave harbour/ alone', 'you may edit harbour/gate.ts for this one'], 'harbour/gate.ts', 'harbour/crane.ts'],
    [['Never edit anything in gen/', 'Regenerate? No, fix src/crane.ts'], 'src/crane.ts', 'gen/wire.ts'],
    [['Touch only src/deck', 'also mention it in docs/deck.md'], 'docs/deck.md', 'src/crane/list.ts'],
    // What was put off is asked for.
    [
      ["Write failing tests for fares, don't touch src/fares.js yet", 'Great, now implement it'],
      'src/fares.js',
      undefined,
    ],
    [['only work in the frontend folder', 'ok and now the backend: add the route'], 'backend/route.py', undefined],
    [["Don't touch the css, only the markup", 'alright, now the css'], 'style.css', undefined],
    // Leave is given for a part of a name, and for when what it was closed for has passed.
    [
      ['An deck-prod.yml wird nichts geändert', 'du darfst jetzt auch an die prod-Konfiguration: Timeout 30s'],
      'deck-prod.yml',
      undefined,
    ],
    [['No edits in crew/ before the Abnahme', 'Abnahme ist durch. Rename the rota.'], 'crew/rota.ts', undefined],
  ])('%j: %s is open, %s is not', (said, open, closed) => {
    expect(closes(said, open)).toBe(false)
    if (closed !== undefined) expect(closes(said, closed)).toBe(true)
  })
})
