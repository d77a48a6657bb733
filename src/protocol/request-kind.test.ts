import { describe, expect, it } from 'vitest'
import {
  CLASS_HEADER,
  JUDGE_HEADER,
  JUDGE_SESSION,
  type RequestKind,
  type RequestSketch,
  requestKind,
} from './request-kind.ts'

const billing = 'x-anthropic-billing-header: cc_version=2.1.197.1b2; cc_entrypoint=sdk-cli;'
const summaryRequest = 'Answer in plain text: an <analysis> block, then a <summary> block.'
const path = '/v1/messages?beta=true'
const commonKeys = [
  'model',
  'messages',
  'system',
  'tools',
  'metadata',
  'max_tokens',
  'thinking',
  'output_config',
  'stream',
]

/** The main thread as the client sends it. */
const main: RequestSketch = {
  path,
  keys: [...commonKeys, 'context_management'],
  maxTokens: 64_000,
  system0: billing,
  tools: ['Agent', 'Bash', 'Edit', 'Read', 'Write'],
  thinking: 'adaptive',
  answerFields: [],
  lastUserText: 'please look at a.txt',
  forked: false,
}
/** What the side requests have in common. */
const side: RequestSketch = { ...main, keys: commonKeys, thinking: 'disabled', tools: [] }

const table: [string, RequestKind, RequestSketch, Record<string, string>?][] = [
  ['the main thread', 'main', main],
  ['the main thread without prompt caching', 'main', { ...main, forked: undefined }],
  ['the main thread on an older model', 'main', { ...main, thinking: 'enabled' }],
  ['the main thread with thinking switched off', 'main', { ...side, tools: main.tools }],
  ['the main thread without tools', 'main', { ...main, tools: [] }],
  ['the main thread with an output schema', 'main', { ...main, tools: [...main.tools, 'StructuredOutput'] }],
  ['the main thread without attribution', 'main', { ...main, system0: 'You are …' }],
  ['a user who writes about these tags', 'main', { ...main, lastUserText: summaryRequest }],
  ['a subagent', 'subagent', { ...side, tools: ['Agent', 'Bash'] }, { 'x-claude-code-agent-id': 'aeaada2982480253b' }],
  ['a subagent whose header got lost', 'subagent', { ...side, system0: `${billing} cc_is_subagent=true;` }],
  [
    'a subagent that compacts',
    'subagent',
    { ...main, lastUserText: summaryRequest },
    { 'x-claude-code-agent-id': 'a' },
  ],
  ['compaction', 'compaction', { ...main, lastUserText: summaryRequest, forked: true }],
  ['compaction without prompt caching', 'compaction', { ...main, lastUserText: summaryRequest, forked: undefined }],
  ['compaction outside the main thread', 'compaction', { ...side, lastUserText: summaryRequest }],
  ['a prompt hook', 'prompt-hook', { ...side, answerFields: ['ok', 'reason', 'impossible'] }],
  ['an agent hook', 'agent-hook', { ...side, tools: ['Bash', 'Read', 'StructuredOutput'] }],
  ['the web search tool', 'web-search', { ...side, keys: [...commonKeys, 'tool_choice'], tools: ['web_search'] }],
  ['a title', 'title', { ...side, answerFields: ['title'] }],
  ['a page summary', 'small-model', side],
  ['a prompt suggestion', 'small-model', { ...main, lastUserText: '[SUGGESTION MODE: …]', forked: undefined }],
  ['counting tokens', 'count-tokens', { ...side, path: '/v1/messages/count_tokens?beta=true' }],
  ['a quota check', 'warm-up', { ...side, maxTokens: 1, lastUserText: 'quota' }],
  ['a connection check without a body', 'warm-up', { path: '/', keys: [], tools: [], answerFields: [] }],
  ["Grove's own judge", 'own', main, { [JUDGE_HEADER]: '1' }],
  [
    "Grove's own judge in `claude`",
    'own',
    main,
    { 'x-claude-code-session-id': `${JUDGE_SESSION}4a75-8000-000000000000` },
  ],
]

describe('requests are told apart', () => {
  it.each(table)('%s is %s', (_, kind, sketch, headers = {}) => {
    expect(requestKind(headers, sketch)).toEqual({ kind })
  })

  it('what only the cache marker sets apart is main, and doubtful', () => {
    const recap = { ...main, lastUserText: 'Recap this.', forked: true }
    expect(requestKind({}, recap)).toEqual({ kind: 'main', doubtful: true })
    expect(requestKind({ [CLASS_HEADER]: 'a class of tomorrow' }, recap)).toEqual({ kind: 'main', doubtful: true })
  })

  it.each<[string, RequestKind, RequestSketch]>([
    ['main', 'main', { ...side, forked: true }],
    ['main', 'main', { ...main, lastUserText: summaryRequest, forked: true }],
    ['compaction', 'compaction', main],
    ['subagent', 'subagent', main],
    ['workflow', 'subagent', main],
    ['subagent', 'agent-hook', { ...side, tools: ['Read', 'StructuredOutput'] }],
    ['auxiliary', 'web-search', { ...side, tools: ['web_search'] }],
    ['auxiliary', 'small-model', main],
    ['side_reply', 'small-model', main],
  ])('a client that says %s is believed: %s', (named, kind, sketch) => {
    expect(requestKind({ [CLASS_HEADER]: named }, sketch)).toEqual({ kind })
  })
})
