// Loaded before a program: its clock goes wrong by as many milliseconds as the file in MOVED_CLOCK says, from then on.
const { readFileSync } = require('node:fs')
const Real = Date
const offset = () => Number(readFileSync(process.env.MOVED_CLOCK, 'utf8')) || 0
globalThis.Date = class extends Real {
  constructor(...args) {
    super(...(args.length === 0 ? [Real.now() + offset()] : args))
  }
  static now() {
    return Real.now() + offset()
  }
}
