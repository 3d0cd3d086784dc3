import type { ModelCall, ModelCallApi } from '#contract/model-calls.ts'
import { exactTime } from '#src/format/dates.ts'
import { milliseconds } from '#src/format/durations.ts'
import { usd } from '#src/format/money.ts'
import { count } from '#src/format/numbers.ts'
import type { Column } from '#src/ui/table/column.ts'
import classes from './ModelCalls.module.css'
import { toneOf } from './model-timeline.ts'

const apiNames: Record<ModelCallApi, string> = {
  messages: 'Messages',
  responses: 'Responses',
  chat: 'Chat Completions',
  generate: 'Generate content',
  count: 'Count tokens',
  models: 'List models',
}

export function statusText({ status, refused }: Pick<ModelCall, 'status' | 'refused'>) {
  if (status === null) return 'cut'
  return refused ? `refused (${status})` : String(status)
}

const State = ({ call }: { call: ModelCall }) => (
  <>
    <span className={classes.state} data-tone={toneOf(call)}>
      {statusText(call)}
    </span>
    {call.error !== null && (
      <span className={classes.why} title={call.error}>
        {call.error}
      </span>
    )}
  </>
)

/** An estimate has a tilde. */
const amount = (call: ModelCall, value: number | null) =>
  call.tokenSource === 'estimated' && value !== null ? `~${count(value)}` : count(value)

export const modelCallColumns: Column<ModelCall>[] = [
  { id: 'seq', header: '#', width: '48px', align: 'right', value: ({ seq }) => seq },
  {
    id: 'time',
    header: 'Time',
    width: '168px',
    optional: true,
    cell: ({ startedAt }) => exactTime(startedAt),
    value: ({ startedAt }) => startedAt,
  },
  {
    id: 'model',
    header: 'Model',
    cell: ({ model, answeredModel }) => <span className={classes.model}>{answeredModel ?? model ?? '–'}</span>,
    value: ({ model, answeredModel }) => answeredModel ?? model,
  },
  { id: 'provider', header: 'Provider', width: '96px', optional: true, value: ({ provider }) => provider },
  {
    id: 'api',
    header: 'Call',
    width: '136px',
    from: 'lg',
    value: ({ api }) => api && apiNames[api],
  },
  { id: 'status', header: 'Status', cell: (call) => <State call={call} />, value: statusText },
  {
    id: 'input',
    header: 'Tokens in',
    width: '88px',
    align: 'right',
    from: 'sm',
    cell: (call) => amount(call, call.inputTokens),
    value: ({ inputTokens }) => inputTokens,
  },
  {
    id: 'cached',
    header: 'Cached',
    hint: 'Input tokens read from the provider’s cache',
    width: '80px',
    align: 'right',
    from: 'md',
    cell: (call) => amount(call, call.cachedTokens),
    value: ({ cachedTokens }) => cachedTokens,
  },
  {
    id: 'output',
    header: 'Out',
    width: '72px',
    align: 'right',
    from: 'sm',
    cell: (call) => amount(call, call.outputTokens),
    value: ({ outputTokens }) => outputTokens,
  },
  {
    id: 'firstByte',
    header: 'First byte',
    width: '88px',
    align: 'right',
    from: 'lg',
    cell: ({ firstByteMs }) => milliseconds(firstByteMs),
    value: ({ firstByteMs }) => firstByteMs,
  },
  {
    id: 'latency',
    header: 'Latency',
    width: '80px',
    align: 'right',
    from: 'sm',
    cell: ({ durationMs }) => milliseconds(durationMs),
    value: ({ durationMs }) => durationMs,
  },
  {
    id: 'cost',
    header: 'Cost',
    width: '80px',
    align: 'right',
    cell: ({ costUsd }) => usd(costUsd),
    value: ({ costUsd }) => costUsd,
  },
]
