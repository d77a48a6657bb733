// Stands in for `node:assert` inside undici. Node's own gathers its arguments into an array with every call, and undici
// asserts several times for every piece of an answer: a fifth of what an answer cost the proxy.
const { AssertionError } = require('node:assert')

module.exports = function assert(value, message) {
  if (value) return
  if (message instanceof Error) throw message
  throw new AssertionError({ actual: value, expected: true, operator: '==', message, stackStartFn: assert })
}
