import { describe, expect, it } from 'vitest'
import { redact } from '../redact.ts'

describe('secrets that are made to be typed', () => {
  it.each([
    ['Recovery codes for the shop:\n\n- 4471 0923\n- 8820 1746\n\nDone.', ['4471 0923', '8820 1746']],
    ['Backup codes\n1. a9x2-77kq\n2. m4t8-20zd', ['a9x2-77kq', 'm4t8-20zd']],
    ['No camera? Type this secret: qkzj wxvb ptrn hglm dcfs', ['qkzj wxvb ptrn hglm dcfs']],
    [`accounts: ["0x${'1f'.repeat(32)}"]`, ['1f'.repeat(32)]],
    [' id | api_token\n----+-----------\n  1 | kT9-vQ2xLm8Z\n  2 | pR4-wN7yHb3C', ['kT9-vQ2xLm8Z', 'pR4-wN7yHb3C']],
    ['"db_password": {\n  "type": "string",\n  "value": "Kiosk-Halle-44x"\n}', ['Kiosk-Halle-44x']],
    ['$ pwgen -s 14 1\nh7Kq2ZbW9xTm4L', ['h7Kq2ZbW9xTm4L']],
  ])('are masked in %j', (text, secrets) => {
    const masked = redact(text)
    for (const secret of secrets) expect(masked).not.toContain(secret)
    expect(masked.split('\n')).toHaveLength(text.split('\n').length)
  })

  it.each([
    'Backup codes are shown once, below the key.\nprint them or keep them safe\nStep 2 follows',
    'the key idea here with this card from your desk',
    `accounts: ["0x${'1f'.repeat(20)}"]`,
    'startpos rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2',
    'app!KeyRing::Unlock+0x3c',
    'volume of secret "builder-token-x7k2p" is not mounted',
  ])('are none in %j', (text) => {
    expect(redact(text)).toBe(text)
  })
})
