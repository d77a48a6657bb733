import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { buildMcpServer } from './server.ts'
import { type McpCaller, type McpTool, mcpTool } from './tools.ts'

const greet = mcpTool({
  name: 'greet',
  title: 'Greet',
  description: 'Greets somebody.',
  input: z.object({ name: z.string().min(1), times: z.number().int().max(3).default(1) }),
  readOnly: false,
  async handle({ name, times }, { sessionId, agentId }) {
    if (name === 'nobody') return { error: 'There is nobody to greet.' }
    if (name === 'bug') throw new Error('the store is gone')
    return `${'Hello '.repeat(times)}${name} (${sessionId}, ${agentId ?? 'main'})`
  },
})

describe('the MCP server', () => {
  it('hands a tool its input, with defaults, and its caller', async () => {
    const client = await connect([greet], async (toolUseId) => ({
      cwd: '/p',
      sessionId: 's1',
      agentId: toolUseId ?? '',
    }))
    const asked = { name: 'greet', arguments: { name: 'Ada' }, _meta: { 'claudecode/toolUseId': 'toolu_9' } }
    expect(await client.callTool(asked)).toMatchObject({ content: [{ type: 'text', text: 'Hello Ada (s1, toolu_9)' }] })
  })

  it('does nothing while the user has paused Grove', async () => {
    const client = await connect([greet], undefined, true)
    const { content } = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } })
    expect(content).toMatchObject([{ text: expect.stringContaining('paused') }])
  })

  it.each([
    [{ times: 9 }, ['name', 'times', 'Correct it and call again']],
    [{ name: 3 }, ['expected string', 'name']],
    [undefined, ['name']],
  ])('says in words what is wrong with the input %j', async (input, words) => {
    const client = await connect([greet])
    const { isError, content } = await client.callTool({ name: 'greet', ...(input && { arguments: input }) })
    const [{ text } = { text: '' }] = content as { text: string }[]
    expect(isError).toBe(true)
    for (const word of words) expect(text).toContain(word)
  })

  it('passes a refusal on, and turns a bug into one', async () => {
    const client = await connect([greet])
    const call = (name: string) => client.callTool({ name: 'greet', arguments: { name } })
    expect(await call('nobody')).toMatchObject({ isError: true, content: [{ text: 'There is nobody to greet.' }] })
    expect(await call('bug')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('store is gone') }],
    })
  })

  it('shows the client what a tool takes, and whether it changes anything', async () => {
    const { tools } = await (await connect([greet])).listTools()
    expect(tools).toMatchObject([
      {
        name: 'greet',
        inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        annotations: { readOnlyHint: false },
      },
    ])
  })
})

async function connect(
  tools: McpTool[],
  callerOf: (toolUseId: string | undefined) => Promise<McpCaller> = async () => ({ cwd: '/p', sessionId: 's1' }),
  isPaused = false,
) {
  const [here, there] = InMemoryTransport.createLinkedPair()
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  await buildMcpServer({ tools, callerOf, isPaused: async () => isPaused, log }).connect(there)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(here)
  return client
}
