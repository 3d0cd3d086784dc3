import { gzipSync } from 'node:zlib'

import { afterAll, expect, test } from 'vitest'

import { readSome, storedTurns } from '#platform/program/testing/read-some.ts'
import { writtenFiles } from '#platform/program/testing/written-files.ts'

const { folder, write, remove } = await writtenFiles()
afterAll(() => remove())

const read = async (path: string) => {
  const { runs, leftOut } = await readSome([`${folder}/${path}`])
  const shapes = runs.map(
    ({ title, agent, model, prompt, tests }) =>
      `${title}: ${agent} ${model} ${prompt} ${tests.map(({ name, outcome }) => `${name.split('/').at(-1)} ${outcome}`).join()}`,
  )
  const turns = runs.map(({ transcript }) => storedTurns(transcript))
  return { runs, leftOut, shapes, turns }
}

test('a report of SWE-bench gives the verdicts of the predictions beside it, and a prediction without one has none', async () => {
  const prediction = (instance_id: string) => ({
    instance_id,
    model_name_or_path: 'lab/solver',
    model_patch: `diff ${instance_id}`,
  })
  await write('swe/preds.jsonl', ['a', 'b', 'c', 'd', 'e'].map(prediction))
  await write('swe/lab__solver.run.json', {
    total_instances: 9,
    submitted_ids: ['a', 'b', 'c', 'd'],
    resolved_ids: ['a'],
    unresolved_ids: ['b'],
    empty_patch_ids: ['c'],
    error_ids: ['d'],
  })
  await write('swe/logs/run/lab__solver/a/report.json', {
    a: {
      patch_exists: true,
      resolved: true,
      tests_status: { FAIL_TO_PASS: { success: ['t1'], failure: [] }, PASS_TO_PASS: { success: [], failure: [] } },
    },
  })
  const { shapes, runs } = await read('swe')
  expect(shapes).toEqual([
    'SWE-bench: lab-solver unknown a resolved passed,FAIL_TO_PASS t1 passed',
    'SWE-bench: lab-solver unknown b resolved failed',
    'SWE-bench: lab-solver unknown c resolved failed',
    'SWE-bench: lab-solver unknown d resolved failed',
    'SWE-bench: lab-solver unknown e resolved skipped',
  ])
  expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed', 'errored', 'errored', 'completed'])
})

test('a prediction can say itself whether it was solved', async () => {
  const prediction = (instance_id: string, resolved: boolean) => ({
    instance_id,
    model_name_or_path: 'solver',
    model_patch: 'diff',
    resolved,
  })
  await write('said/results.jsonl', [prediction('a', true), prediction('b', false)])
  const { shapes } = await read('said')
  expect(shapes).toEqual(['SWE-bench: solver unknown a resolved passed', 'SWE-bench: solver unknown b resolved failed'])
})

test('a trajectory of SWE-agent has its cost, tokens, exit and conversation, and no verdict', async () => {
  await write('traj/small__run/x__y-1/x__y-1.traj', {
    trajectory: [
      { action: 'ls', observation: 'a.py', thought: 'Look', execution_time: 0.5, state: {} },
      { action: 'submit', observation: '', thought: '', execution_time: 1 },
    ],
    history: [],
    info: {
      exit_status: 'submitted (exit_cost)',
      submission: 'diff --git',
      model_stats: { instance_cost: 0.7, tokens_sent: 900, tokens_received: 80, api_calls: 2 },
    },
    replay_config: JSON.stringify({
      agent: { model: { name: 'lab/small-2' } },
      problem_statement: { id: 'x__y-1', text: 'Fix it' },
    }),
  })
  const { runs, shapes, turns } = await read('traj')
  expect(shapes).toEqual(['SWE-agent: swe-agent small-2 x__y-1 '])
  expect(runs[0]).toMatchObject({
    inputTokens: 900,
    outputTokens: 80,
    costUsd: 0.7,
    wallSeconds: null,
    reason: 'The agent ended with submitted (exit_cost)',
    promptText: 'Fix it',
  })
  expect(turns[0]?.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'message Look',
    'tool_call ls',
    'tool_result a.py',
    'tool_call submit',
    'output diff --git',
  ])
})

test('a command beside the text of a message is a tool call, and the next message is what it printed', async () => {
  const agent = 'primary'
  await write('text-commands/r/i.traj', {
    environment: 'swe_main',
    trajectory: [{ action: 'ls\n', observation: 'a.py', response: 'Look\n```\nls\n```', thought: 'Look\n' }],
    history: [
      { role: 'system', content: 'Be good', agent },
      { role: 'user', content: 'An example', agent, is_demo: true },
      { role: 'user', content: 'Fix it', agent },
      { role: 'assistant', content: 'Look\n```\nls\n```', thought: 'Look', action: 'ls\n', agent },
      { role: 'user', content: [{ type: 'text', text: 'a.py' }], agent },
      { role: 'assistant', content: 'Done', thought: 'Done', action: '', agent },
      { role: 'user', content: 'Your answer had no command', agent },
    ],
    info: { exit_status: 'submitted' },
  })
  const { turns } = await read('text-commands')
  expect(turns[0]?.map(({ role, kind, text }) => `${role} ${kind} ${text}`)).toEqual([
    'system message Be good',
    'user message Fix it',
    'assistant message Look\n```\nls\n```',
    'assistant tool_call ls',
    'tool tool_result a.py',
    'assistant message Done',
    'user message Your answer had no command',
  ])
})

test('the report of SWE-bench beside trajectories gives them their verdict, and each attempt is one run', async () => {
  const step = { action: 'submit', observation: '', thought: '' }
  for (const instance of ['i-1', 'i-2'])
    await write(`joined/run/${instance}/${instance}.traj`, {
      trajectory: [step],
      history: [],
      info: { exit_status: 'submitted' },
    })
  await write(
    'joined/run/all_preds.jsonl',
    ['i-1', 'i-2'].map((instance_id) => ({ instance_id, model_name_or_path: 'run', model_patch: 'diff' })),
  )
  await write('joined/run.report.json', {
    resolved_ids: ['i-1'],
    unresolved_ids: ['i-2'],
    submitted_ids: ['i-1', 'i-2'],
  })
  expect((await read('joined')).shapes).toEqual([
    'SWE-agent: swe-agent unknown i-1 resolved passed',
    'SWE-agent: swe-agent unknown i-2 resolved failed',
  ])
})

test('a trajectory of mini-swe-agent has its model, cost and messages', async () => {
  await write('mini/task-1.traj.json', {
    trajectory_format: 'mini-swe-agent-1',
    info: {
      exit_status: 'LimitsExceeded',
      submission: '',
      model_stats: { instance_cost: 0.2 },
      config: { model: { model_name: 'lab/small' } },
    },
    messages: [
      { role: 'system', content: 'Be good', extra: { timestamp: 1767225600 } },
      { role: 'user', content: [{ type: 'text', text: 'Fix it' }] },
      {
        role: 'assistant',
        content: 'ls',
        extra: { timestamp: 1767225610, response: { usage: { prompt_tokens: 7, completion_tokens: 2 } } },
      },
    ],
  })
  const { runs, shapes, turns } = await read('mini')
  expect(shapes).toEqual(['mini-swe-agent: mini-swe-agent small task-1 '])
  expect(runs[0]).toMatchObject({
    inputTokens: 7,
    outputTokens: 2,
    costUsd: 0.2,
    wallSeconds: 10,
    status: 'errored',
    promptText: expect.stringContaining('Fix it') as string,
  })
  expect(turns[0]?.map(({ role, ts }) => `${role} ${ts}`)).toEqual([
    'system 2026-01-01T00:00:00.000000Z',
    'user null',
    'assistant 2026-01-01T00:00:10.000000Z',
  ])
})

test('an output of OpenHands has an instance in each line, with actions, observations, tokens and its report', async () => {
  const line = (instance_id: string, facts: object) => ({
    instance_id,
    test_result: { git_patch: 'diff', report: { resolved: true } },
    metadata: { agent_class: 'CodeActAgent', llm_config: { model: 'lab/small' } },
    metrics: { accumulated_cost: 0.3, accumulated_token_usage: { prompt_tokens: 50, completion_tokens: 5 } },
    history: [
      { action: 'message', source: 'user', args: { content: 'Fix it' }, timestamp: '2026-01-01T00:00:00' },
      {
        action: 'run',
        source: 'agent',
        args: { command: 'ls', thought: 'Look' },
        tool_call_metadata: { tool_call_id: 'c', function_name: 'execute_bash' },
      },
      {
        observation: 'run',
        content: 'a.py',
        extras: { metadata: { exit_code: 2 } },
        tool_call_metadata: { tool_call_id: 'c', function_name: 'execute_bash' },
        timestamp: '2026-01-01T00:00:20',
      },
    ],
    ...facts,
  })
  await write('oh/output.jsonl', [
    line('a', {}),
    line('b', {
      test_result: { git_patch: '' },
      error: 'Agent timeout',
      history: [[{ action: 'message', args: { content: 'x' } }, { observation: 'null' }]],
    }),
  ])
  const { runs, shapes, turns } = await read('oh')
  expect(shapes).toEqual(['OpenHands: CodeActAgent small a resolved passed', 'OpenHands: CodeActAgent small b '])
  expect(runs[0]).toMatchObject({ inputTokens: 50, outputTokens: 5, costUsd: 0.3, wallSeconds: 20 })
  expect(runs[1]).toMatchObject({ status: 'errored', timeLimitHit: true })
  expect(turns[0]?.map(({ kind, text, failed }) => `${kind} ${text} ${failed}`)).toEqual([
    'message Fix it undefined',
    'message Look undefined',
    'tool_call ls undefined',
    'tool_result a.py true',
    'output diff undefined',
  ])
})

test('exercises of Aider have their tries, and rows of its leaderboard only scores', async () => {
  await write('aider/bench/python/exercises/practice/bowling/.aider.results.json', {
    testdir: 'bowling',
    testcase: 'bowling',
    model: 'lab/small',
    edit_format: 'diff',
    tests_outcomes: [false, true],
    cost: 0.1,
    duration: 30,
  })
  await write(
    'aider/board.yml',
    '- dirname: one\n  test_cases: 225\n  model: Small\n  edit_format: whole\n  pass_rate_1: 20.4\n  pass_rate_2: 35.6\n  date: 2025-02-25\n  seconds_per_case: 2\n  total_cost: 1.5\n',
  )
  const { runs, shapes } = await read('aider')
  expect(shapes).toEqual([
    'Aider: aider-diff small bowling try 1 skipped,try 2 passed',
    'Aider: aider-whole Small benchmark-of-225-exercises ',
  ])
  expect(runs.map(({ scores }) => scores.map(({ value }) => value))).toEqual([
    [0, 1],
    [0.204, 0.356],
  ])
  expect(runs[1]).toMatchObject({ costUsd: 1.5, wallSeconds: 450, startedAt: '2025-02-25T00:00:00.000000Z' })
})

test('samples of lm-evaluation-harness are runs, once for each answer, and tasks without samples have their scores', async () => {
  const line = (doc_id: number, acc: number, filter = 'none') => ({
    doc_id,
    doc: { q: 'Q' },
    target: 'A',
    arguments: [['Q?', ' A']],
    resps: [['A']],
    filtered_resps: ['A'],
    filter,
    metrics: ['acc'],
    acc,
  })
  await write('lm/model/results_2026-01-01T00-00-00.1.json', {
    results: { quiz: { 'acc,none': 0.5, 'acc_stderr,none': 0.1 }, other: { alias: 'other', 'acc,none': 0.25 } },
    configs: {},
    config: { model: 'hf', model_args: 'pretrained=lab/small,x=1' },
  })
  await write('lm/model/samples_quiz_2026-01-01T00-00-00.1.jsonl', [line(0, 1), line(1, 0), line(1, 1, 'flexible')])
  const { runs, shapes } = await read('lm')
  expect(shapes).toEqual([
    'lm-evaluation-harness: lm-eval small quiz-0 acc passed',
    'lm-evaluation-harness: lm-eval small quiz-1 acc failed',
    'lm-evaluation-harness: lm-eval small other ',
  ])
  expect(runs[2]?.scores).toEqual([{ name: 'acc', value: 0.25, threshold: 1 }])
})

test('the results of samples of HumanEval replace the samples, and its problems give the texts of tasks', async () => {
  const samples = [
    { task_id: 'HumanEval/0', completion: 'a' },
    { task_id: 'HumanEval/0', completion: 'a' },
    { task_id: 'HumanEval/0', completion: 'b' },
  ]
  await write('he/small.jsonl', samples)
  await write(
    'he/small.jsonl_results.jsonl',
    samples.map((sample, index) => ({ ...sample, passed: index < 2, result: index < 2 ? 'passed' : 'timed out' })),
  )
  await write(
    'he/HumanEval.jsonl.gz',
    gzipSync(JSON.stringify({ task_id: 'HumanEval/0', prompt: 'def f', test: 'check', entry_point: 'f' })),
  )
  const { runs, shapes, leftOut } = await read('he')
  expect(shapes).toEqual(
    ['passed', 'passed', 'failed'].map((outcome) => `HumanEval: humaneval small HumanEval-0 check ${outcome}`),
  )
  expect(runs.map(({ promptText, timeLimitHit }) => `${promptText} ${timeLimitHit}`)).toEqual([
    'def f false',
    'def f false',
    'def f true',
  ])
  expect(leftOut.map(({ count = 1 }) => count)).toEqual([0, 1, 1, 1])
})
