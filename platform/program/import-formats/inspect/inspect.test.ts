import { afterAll, expect, test } from 'vitest'

import { readSome } from '#platform/program/testing/read-some.ts'
import { toZip } from '#platform/program/testing/made-zip.ts'
import { writtenFiles } from '#platform/program/testing/written-files.ts'

const { write, remove } = await writtenFiles()
afterAll(() => remove())

const log = (facts: object = {}) => ({
  version: 2,
  status: 'success',
  eval: {
    run_id: 'r',
    eval_id: 'e',
    created: '2026-01-01T00:00:00+00:00',
    task: 'suite/riddles',
    task_id: 't',
    model: 'lab/small',
  },
  plan: { name: 'plan', steps: [{ solver: 'chain' }, { solver: 'suite/generate' }] },
  results: { total_samples: 4, scores: [{ name: 'match', scorer: 'match' }] },
  ...facts,
})
const sample = (id: number, epoch: number, facts: object = {}) => ({
  id,
  epoch,
  uuid: `${id}-${epoch}`,
  input: 'What?',
  choices: ['a', 'b'],
  target: 'A',
  messages: [
    { role: 'user', content: 'attachment://x' },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', reasoning: 'hm' },
        { type: 'text', text: 'Let me look' },
      ],
      tool_calls: [{ id: 'c', function: 'look', arguments: { at: 1 } }],
    },
    { role: 'tool', content: 'seen', tool_call_id: 'c', function: 'look', error: { type: 'timeout', message: 'late' } },
  ],
  attachments: { x: 'The question' },
  events: [
    {
      event: 'approval',
      decision: 'reject',
      explanation: 'no',
      timestamp: '2026-01-01T00:00:05Z',
      call: { function: 'look' },
    },
  ],
  scores: { match: { value: 'C', answer: 'A' }, style: { value: { tone: 0.2, length: 1 } } },
  model_usage: { 'lab/small': { input_tokens: 5, input_tokens_cache_read: 3, output_tokens: 2, total_cost: 0.01 } },
  total_time: 2.5,
  ...facts,
})
const samples = [
  sample(1, 1),
  sample(1, 2, { scores: { match: { value: 'P' } } }),
  sample(2, 1, { scores: null, error: { message: 'boom', traceback: '' } }),
  sample(2, 2, { scores: { match: { value: 'I' } }, limit: { type: 'token', limit: 100 } }),
]

const shape = async (path: string) =>
  (await readSome([path])).runs.map(({ agent, model, prompt, repeat, status, infrastructureCause, tests, scores }) => [
    `${agent} ${model} ${prompt} ${repeat} ${status} ${infrastructureCause}`,
    tests.map(({ name, outcome }) => `${name} ${outcome}`).join(),
    scores.map(({ name, value }) => `${name} ${value}`).join(),
  ])

const expected = [
  [
    'chain-generate small riddles-1 1 completed null',
    'riddles/1/match passed,riddles/1/style.tone skipped,riddles/1/style.length passed',
    'match 1,style.tone 0.2,style.length 1',
  ],
  ['chain-generate small riddles-1 2 completed null', 'riddles/1/match failed', 'match 0.5'],
  ['chain-generate small riddles-2 1 errored worker_failed', '', ''],
  ['chain-generate small riddles-2 2 errored null', 'riddles/2/match failed', 'match 0'],
]

test('a log in JSON has samples × epochs, and its first scorer decides what is solved', async () => {
  expect(await shape(await write('one.log', { ...log(), samples }))).toEqual(expected)
})

test('a log in a zip says the same, whatever its compression is and whatever its name', async () => {
  const entries = (method: 'deflate' | 'zstd' | 'store') =>
    toZip([
      ...samples.map((each) => ({
        name: `samples/${each.id}_epoch_${each.epoch}.json`,
        content: JSON.stringify(each),
        method,
      })),
      { name: 'header.json', content: JSON.stringify(log()), method },
    ])
  for (const method of ['deflate', 'zstd', 'store'] as const)
    expect(await shape(await write(`log-${method}`, entries(method)))).toEqual(expected)
})

test('tokens include what was cached, and the transcript has reasoning, calls, results, attachments and approvals', async () => {
  const [run] = (await readSome([await write('two.json', { ...log(), samples })])).runs
  expect(run).toMatchObject({
    inputTokens: 8,
    outputTokens: 2,
    costUsd: 0.01,
    wallSeconds: 2.5,
    promptText: 'What?\nA) a\nB) b',
  })
  const turns = Buffer.concat((run?.transcript?.turns ?? []).map(({ lines }) => lines))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(turns.map(({ role, kind, text, failed }) => [role, kind, text, failed])).toEqual([
    ['user', 'message', 'The question', undefined],
    ['assistant', 'reasoning', 'hm', undefined],
    ['assistant', 'message', 'Let me look', undefined],
    ['assistant', 'tool_call', '{"at":1}', undefined],
    ['tool', 'tool_result', 'seen\nlate', true],
    ['system', 'message', 'Approval: reject look no', undefined],
  ])
})

test('a canceled log names the samples that it lacks, and a retried log adds only those that the first one has not', async () => {
  const first = await write('retry/first.json', { ...log({ status: 'cancelled' }), samples: samples.slice(0, 3) })
  const { runs, leftOut } = await readSome([first, await write('retry/second.json', { ...log(), samples })])
  expect(runs).toHaveLength(4)
  const copy = 'it is a copy of a run in another file'
  const reasons = ['it counts 4 samples, and it has 3, and its status is cancelled', copy, copy, copy]
  expect(leftOut.map(({ reason }) => reason)).toEqual(reasons)
})

test('samples that cannot be read are left out by name, and a score that is no number is unknown', async () => {
  const header = { name: 'header.json', content: JSON.stringify(log()) }
  const odd = { ...sample(1, 1), scores: { match: { value: Number.NaN } } }
  const archive = toZip([
    header,
    { name: 'samples/1.json', content: JSON.stringify(odd).replace('null}', 'NaN}') },
    { name: 'samples/2.json', content: '{"id":' },
  ])
  const { runs, leftOut } = await readSome([await write('odd.eval', archive)])
  expect(runs.map(({ scores, tests }) => [scores[0]?.value, tests[0]?.outcome])).toEqual([[null, 'skipped']])
  expect(leftOut[0]?.file).toMatch(/#samples\/2\.json$/)
})

test('cached tokens count once, also where the input of a provider has them', async () => {
  const usage = { input_tokens: 100, input_tokens_cache_read: 40, output_tokens: 10 }
  const used = (total?: number) => ({
    model_usage: { small: { ...usage, ...(total !== undefined && { total_tokens: total }) } },
  })
  const file = await write(
    'cached.json',
    log({ samples: [sample(1, 1, used(110)), sample(2, 1, used(150)), sample(3, 1, used())] }),
  )
  expect((await readSome([file])).runs.map(({ inputTokens }) => inputTokens)).toEqual([100, 140, 140])
})

test('samples whose ids have slashes are read', async () => {
  const { samples: _, ...header } = log({ samples: [] }) as Record<string, unknown>
  const file = await write(
    'slashes.eval',
    toZip([
      { name: 'header.json', content: JSON.stringify(header) },
      { name: 'samples/suite/a_epoch_1.json', content: JSON.stringify(sample(1, 1, { id: 'suite/a' })) },
    ]),
  )
  expect((await readSome([file])).runs.map(({ promptText, file: from }) => [promptText, from.split('#')[1]])).toEqual([
    [expect.stringContaining('What?'), 'suite/a, epoch 1'],
  ])
})

test('grades above 1 are no verdict', async () => {
  const graded = (value: number) => sample(value, 1, { scores: { quality: { value } } })
  const scores = [{ name: 'quality', scorer: 'quality', metrics: { mean: { name: 'mean', value: 4.5 } } }]
  const file = await write(
    'grades.json',
    log({ samples: [graded(8), graded(1)], results: { total_samples: 2, scores } }),
  )
  const { runs } = await readSome([file])
  expect(runs.map(({ tests, scores: given }) => [tests[0]?.outcome, given[0]?.value])).toEqual([
    ['skipped', 8],
    ['skipped', 1],
  ])
})

test('a log without its samples says how many its totals count', async () => {
  const file = await write('totals.json', log())
  const { runs, leftOut } = await readSome([file])
  expect(runs).toEqual([])
  expect(leftOut.map(({ reason }) => reason)).toEqual(['it has no samples, only the totals of 4'])
})
