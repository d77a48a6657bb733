import { expect, it } from 'vitest'
import { HostTools } from './host-tools.ts'

const tools = [{ name: 'wait', description: 'Waits.', inputSchema: { type: 'object' } }]
const never = new AbortController().signal

it('answers the handshake in the version of the client, or in its own newest', async () => {
  const server = new HostTools(tools, async () => ({ text: '' }))
  const hello = (protocolVersion: string) =>
    server.answer({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion } }, never)
  expect(await hello('2025-06-18')).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } })
  expect(await hello('2031-01-01')).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } })
  expect(await server.answer({ id: 2, method: 'tools/list' }, never)).toMatchObject({ id: 2, result: { tools } })
  expect(await server.answer({ method: 'notifications/initialized' }, never)).toHaveProperty('result')
})

it('refuses what it does not know', async () => {
  const server = new HostTools(tools, async () => ({ text: '' }))
  expect(await server.answer({ id: 'probe', method: 'server/discover' }, never)).toMatchObject({
    id: 'probe',
    error: {},
  })
  const call = { id: 3, method: 'tools/call', params: { name: 'fly' } }
  expect(await server.answer(call, never)).toMatchObject({ id: 3, error: { message: 'There is no tool fly.' } })
})

it('tells the host when a call is cancelled', async () => {
  const server = new HostTools(
    tools,
    ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: 'gave up' }))),
  )
  const answer = server.answer({ id: 4, method: 'tools/call', params: { name: 'wait', arguments: {} } }, never)
  await server.answer({ method: 'notifications/cancelled', params: { requestId: 4 } }, never)
  expect(await answer).toMatchObject({ id: 4, result: { content: [{ type: 'text', text: 'gave up' }] } })
})
