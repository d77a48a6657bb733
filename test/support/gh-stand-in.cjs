// Stands where `gh` would: hands arguments and input to the test's own GitHub, and says what it answers.
const { readFileSync } = require('node:fs')
const { request } = require('node:http')

const args = process.argv.slice(2)
const reads = args.some((arg) => arg === '--body-file=-' || arg === '--input=-')
const input = reads ? readFileSync(0, 'utf8') : ''
const asked = request(process.env.GH_STAND_IN, { method: 'POST' }, async (response) => {
  let answer = ''
  for await (const chunk of response.setEncoding('utf8')) answer += chunk
  const { code, stdout, stderr } = JSON.parse(answer)
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = code
})
asked.end(JSON.stringify({ args, input }))
