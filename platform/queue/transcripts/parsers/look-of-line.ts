import type { LineLook } from './parsed-line.ts'

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isOneOf = (value: unknown, ...names: readonly string[]) => typeof value === 'string' && names.includes(value)

/** Each client's lines, by fields that the lines of the others lack. */
const looks: readonly [LineLook, (line: Fields) => boolean][] = [
  [
    'codex-session',
    ({ type, payload }) =>
      isOneOf(type, 'session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted') && isFields(payload),
  ],
  [
    'codex-jsonl',
    ({ type, item, thread_id }) =>
      (typeof type === 'string' && /^(?:thread|turn|item)\.[a-z_.]+$/.test(type)) ||
      (isOneOf(type, 'item.completed') && isFields(item)) ||
      typeof thread_id === 'string',
  ],
  [
    'opencode-json',
    ({ sessionID, part }) => typeof sessionID === 'string' || (isFields(part) && typeof part.messageID === 'string'),
  ],
  [
    'gemini-stream-json',
    ({ type, tool_name, tool_id, content, stats, model, session_id }) =>
      isOneOf(type, 'tool_use', 'tool_result')
        ? typeof (tool_name ?? tool_id) === 'string'
        : isOneOf(type, 'message')
          ? typeof content === 'string'
          : isOneOf(type, 'result')
            ? isFields(stats)
            : isOneOf(type, 'init') && typeof (model ?? session_id) === 'string',
  ],
  [
    'claude-stream-json',
    ({ type, message, subtype, total_cost_usd, event }) =>
      isOneOf(type, 'assistant', 'user')
        ? isFields(message)
        : isOneOf(type, 'result')
          ? typeof (total_cost_usd ?? subtype) !== 'undefined'
          : isOneOf(type, 'system')
            ? typeof subtype === 'string'
            : isOneOf(type, 'stream_event') && isFields(event),
  ],
  ['gemini-json', ({ response, stats }) => typeof response === 'string' && isFields(stats)],
  [
    'assay-jsonl',
    ({ role, kind, text, usage }) =>
      typeof text === 'string' ? typeof (role ?? kind) === 'string' : isFields(usage) && 'inputTokens' in usage,
  ],
]

/** The client whose line this is, by its shape; null if it is of no known one. */
export function lookOf(value: unknown): LineLook | null {
  if (!isFields(value)) return null
  return looks.find(([, matches]) => matches(value))?.[0] ?? null
}
