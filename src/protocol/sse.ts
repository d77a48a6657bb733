import { z } from 'zod'
import { AssistantMessage, readBlock } from './anthropic.ts'
import { parseJson } from './json.ts'
import { AnyObject, maybe, readerByKind } from './tolerant.ts'

/** Reads the `delta` of a content block; unknown delta types are kept. */
const readDelta = readerByKind('type', {
  text_delta: z.looseObject({ type: z.literal('text_delta'), text: z.string() }),
  input_json_delta: z.looseObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
  thinking_delta: z.looseObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
  signature_delta: z.looseObject({ type: z.literal('signature_delta') }),
  citations_delta: z.looseObject({ type: z.literal('citations_delta') }),
})

const index = z.number().int()

/** Unknown event types are kept as `{ type: 'unknown', raw }`. */
const readStreamEvent = readerByKind('type', {
  message_start: z.looseObject({ type: z.literal('message_start'), message: AssistantMessage }),
  content_block_start: z.looseObject({
    type: z.literal('content_block_start'),
    index,
    content_block: z.unknown().transform(readBlock),
  }),
  content_block_delta: z.looseObject({
    type: z.literal('content_block_delta'),
    index,
    delta: z.unknown().transform(readDelta),
  }),
  content_block_stop: z.looseObject({ type: z.literal('content_block_stop'), index }),
  message_delta: z.looseObject({
    type: z.literal('message_delta'),
    delta: z.looseObject({ stop_reason: maybe(z.string().nullable()) }).catch({}),
    usage: maybe(AnyObject),
  }),
  message_stop: z.looseObject({ type: z.literal('message_stop') }),
  ping: z.looseObject({ type: z.literal('ping') }),
  error: z.looseObject({
    type: z.literal('error'),
    error: z.looseObject({ type: z.string().catch('unknown'), message: z.string().catch('') }),
  }),
})
/** One event of a Messages stream. */
export type StreamEvent = ReturnType<typeof readStreamEvent>

/** One event from its `data` text (or the JSON already parsed from it); broken JSON is an unknown event that keeps its text. */
export function parseStreamEvent(data: unknown): StreamEvent {
  if (typeof data !== 'string') return readStreamEvent(data)
  const json = parseJson(data)
  return json === undefined ? { type: 'unknown', raw: data } : readStreamEvent(json)
}
