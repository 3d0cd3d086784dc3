import { afterAll, expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { readSome, storedTurns } from '#platform/program/testing/read-some.ts'
import { writtenFiles } from '#platform/program/testing/written-files.ts'
import { namesOfReports } from './swe-bench-names.ts'

const { folder, write, remove } = await writtenFiles()
afterAll(() => remove())

const read = async (path: string) => {
  const { runs, leftOut } = await readSome([`${folder}/${path}`])
  const shapes = runs.map(
    ({ agent, model, prompt, tests }) =>
      `${agent} ${model} ${prompt} ${tests.map(({ name, outcome }) => `${name.split('/').at(-1)} ${outcome}`).join()}`,
  )
  const turns = runs.map(({ transcript }) => storedTurns(transcript))
  return { runs, shapes, turns, reasons: leftOut.map(({ reason }) => reason) }
}

test('what the first harness of SWE-bench did not name was not solved, also in a report with a comma too many', async () => {
  for (const instance of ['x__y-1', 'x__y-2', 'x__y-3', 'x__y-4'])
    await write(`first/${instance}.jsonl`, [
      { instance_id: instance, model_name_or_path: 'solver', model_patch: 'diff' },
    ])
  await write('first/results.json', '{"no_generation": ["x__y-2"], "no_logs": ["x__y-3",], "resolved": ["x__y-1",],}')
  const { shapes, reasons } = await read('first')
  expect(shapes).toEqual([
    'solver unknown x__y-1 resolved passed',
    'solver unknown x__y-2 resolved failed',
    'solver unknown x__y-3 resolved failed',
    'solver unknown x__y-4 resolved failed',
  ])
  expect(reasons).toEqual([])
})

test('a report that names only what was solved says that its share is too high', async () => {
  await write('alone/solver/results.json', { no_generation: [], no_logs: [], resolved: ['x__y-1'] })
  const { shapes, reasons } = await read('alone/solver/results.json')
  expect(shapes).toEqual(['solver unknown x__y-1 resolved passed'])
  expect(reasons).toEqual([expect.stringMatching(/^it names only what was solved or not generated/)])
})

test('verdicts of SWE-bench Pro, and records of instances with their cost, are results', async () => {
  await write('pro/solver/eval_results.json', { x__y: true, x__z: false })
  await write('records/solver/instance_results/suite.json', {
    one: { resolved: true, cost: 0.5 },
    two: { resolved: false, cost: 1 },
  })
  expect((await read('pro')).shapes).toEqual([
    'solver unknown x__y resolved passed',
    'solver unknown x__z resolved failed',
  ])
  const { shapes, runs } = await read('records')
  expect(shapes).toEqual(['solver unknown one resolved passed', 'solver unknown two resolved failed'])
  expect(runs.map(({ costUsd }) => costUsd)).toEqual([0.5, 1])
})

test('two benchmarks of one model with the same instances are told apart, and what was not evaluated has no verdict', async () => {
  await write('both/solver/instance_results/fix.json', { a: { resolved: true }, b: { resolved: null } })
  await write('both/solver/instance_results/test.json', { a: { resolved: false }, b: { resolved: true } })
  expect((await read('both')).shapes).toEqual([
    'solver.fix unknown a resolved passed',
    'solver.fix unknown b resolved skipped',
    'solver.test unknown a resolved failed',
    'solver.test unknown b resolved passed',
  ])
})

test('reports in folders of one name are told apart by the folders above', async () => {
  for (const place of ['alone', 'helped'])
    await write(`above/${place}/solver/instance_results/suite.json`, { one: { resolved: place === 'helped' } })
  expect((await read('above')).shapes).toEqual([
    'alone-solver unknown one resolved failed',
    'helped-solver unknown one resolved passed',
  ])
})

test('two evaluations of one model are two agents', async () => {
  for (const [run, resolved] of [
    ['first', ['a']],
    ['second', []],
  ] as const)
    await write(`twice/solver.${run}.json`, { submitted_ids: ['a'], resolved_ids: resolved })
  const { shapes } = await read('twice')
  expect(shapes).toEqual(['solver.first unknown a resolved passed', 'solver.second unknown a resolved failed'])
})

test('predictions of one model in two files are two agents, unless they are the same', async () => {
  const of = (patch: string) => [{ instance_id: 'a', model_name_or_path: 'solver', model_patch: patch }]
  for (const [name, patch] of [
    ['first', 'one'],
    ['second', 'two'],
    ['third', 'one'],
  ] as const)
    await write(`again/${name}/preds.jsonl`, of(patch))
  expect((await read('again')).shapes).toEqual([
    'solver unknown a resolved skipped',
    'solver.second unknown a resolved skipped',
  ])
})

test('EvalPlus solves what passes all its tests, in the form of any of its versions', async () => {
  const checked = (base: string, plus: string) => ({
    task_id: 'HumanEval/0',
    solution: 'def f(): pass',
    base_status: base,
    plus_status: plus,
    base_fail_tests: [],
    plus_fail_tests: [[1, 2]],
  })
  await write('plus/samples.jsonl', [{ task_id: 'HumanEval/0', solution: 'def f(): pass' }])
  await write('plus/samples_eval_results.json', {
    date: '2026-01-01 10:30',
    eval: { 'HumanEval/0': [checked('pass', 'pass'), checked('pass', 'fail')] },
  })
  await write('old/samples_eval_results.json', {
    eval: { 'HumanEval/0': { nfiles: 1, base: [['success', [true]]], plus: [['failed', [false]]] } },
  })
  const { shapes, runs, reasons } = await read('plus')
  expect(shapes).toEqual([
    'humaneval samples HumanEval-0 base passed,plus passed',
    'humaneval samples HumanEval-0 base passed,plus failed',
  ])
  expect(
    runs.map(({ scores, repeat, batch }) => [...scores.map(({ value }) => value), repeat, batch.createdAt]),
  ).toEqual([
    [1, 1, 1, '2026-01-01T10:30:00.000000Z'],
    [1, 0, 2, '2026-01-01T10:30:00.000000Z'],
  ])
  expect(runs[1]?.tests[1]?.stderrTail).toBe('fail\nFailing: [[1,2]]')
  expect(reasons).toEqual(['the results beside it have its samples'])
  expect((await read('old')).shapes).toEqual(['humaneval samples HumanEval-0 base passed,plus failed'])
})

test('samples of one name in the folders of several models are those of each model', async () => {
  for (const model of ['large', 'small'])
    await write(`several/${model}/samples.jsonl_results.jsonl`, [
      { task_id: 'HumanEval/0', completion: 'pass', passed: true, result: 'passed' },
      { task_id: 'HumanEval/1', completion: 'pass', passed: false, result: 'failed' },
    ])
  const { shapes, reasons } = await read('several')
  expect(shapes).toEqual([
    'humaneval large HumanEval-0 check passed',
    'humaneval large HumanEval-1 check failed',
    'humaneval small HumanEval-0 check passed',
    'humaneval small HumanEval-1 check failed',
  ])
  expect(reasons).toEqual([])
})

test('an output of OpenHands’ SDK has its conversation, and the verdict of the report beside it', async () => {
  const call = { tool_name: 'terminal', tool_call_id: 'c' }
  await write('sdk/run/output.jsonl', [
    {
      instance_id: 'a',
      test_result: { git_patch: 'diff' },
      metadata: { llm: { model: 'proxy/lab/small' } },
      metrics: { accumulated_cost: 0.5, accumulated_token_usage: { prompt_tokens: 70, completion_tokens: 8 } },
      history: [
        { kind: 'SystemPromptEvent', system_prompt: { type: 'text', text: 'Be good' } },
        { kind: 'MessageEvent', llm_message: { role: 'user', content: [{ type: 'text', text: 'Fix it' }] } },
        {
          kind: 'ActionEvent',
          reasoning_content: 'hm',
          thought: [{ type: 'text', text: 'I look' }],
          action: { kind: 'TerminalAction', command: 'ls' },
          ...call,
        },
        {
          kind: 'ObservationEvent',
          observation: { kind: 'TerminalObservation', content: [{ type: 'text', text: 'a.py' }], exit_code: 1 },
          ...call,
        },
        { kind: 'AgentErrorEvent', error: 'no such tool', ...call },
        { kind: 'PauseEvent' },
      ],
    },
  ])
  await write('sdk/run/output.swebench.jsonl', [
    { instance_id: 'a', model_name_or_path: 'OpenHands', model_patch: 'diff' },
  ])
  await write('sdk/run/output.report.json', { submitted_ids: ['a'], resolved_ids: ['a'] })
  const { shapes, runs, turns } = await read('sdk')
  expect(shapes).toEqual(['openhands small a resolved passed'])
  expect(runs[0]).toMatchObject({ costUsd: 0.5, inputTokens: 70, outputTokens: 8 })
  expect(turns[0]?.map(({ role, kind, text }) => `${role} ${kind} ${text}`)).toEqual([
    'system message Be good',
    'user message Fix it',
    'assistant reasoning hm',
    'assistant message I look',
    'assistant tool_call ls',
    'tool tool_result a.py',
    'tool tool_result no such tool',
    'assistant output diff',
  ])
})

test('exercises of one name in several languages are different tasks', async () => {
  for (const language of ['go', 'rust'])
    await write(`polyglot/bench/${language}/exercises/practice/bowling/.aider.results.json`, {
      testdir: `/benchmarks/bench/${language}/exercises/practice/bowling`,
      testcase: 'bowling',
      model: 'small',
      edit_format: 'diff',
      tests_outcomes: [true],
    })
  expect((await read('polyglot')).shapes).toEqual([
    'aider-diff small go-bowling try 1 passed',
    'aider-diff small rust-bowling try 1 passed',
  ])
})

test('an exercise of Aider that ended with an exception was not solved, as Aider counts it', async () => {
  const place = 'raised/bench/go/exercises/practice'
  await write(`${place}/bowling/.aider.results.json`, {
    testdir: `/bench/go/exercises/practice/bowling`,
    testcase: 'bowling',
    model: 'small',
    edit_format: 'diff',
    tests_outcomes: [true],
  })
  await write(`${place}/forth/.aider.results.json`, { exception: 'no such model' })
  const { shapes, runs } = await read('raised')
  expect(shapes).toEqual(['aider-diff small go-bowling try 1 passed', 'aider-diff small go-forth try 1 errored'])
  expect(runs[1]).toMatchObject({ status: 'errored', reason: 'Aider stopped: no such model' })
})

test('a likelihood is no verdict, and parts of an answer count as their mean', async () => {
  const line = (doc_id: number, metrics: Record<string, unknown>) => ({
    doc_id,
    doc: {},
    target: 'x',
    arguments: [['What?']],
    resps: [['y']],
    filtered_resps: ['y'],
    metrics: Object.keys(metrics),
    ...metrics,
  })
  await write('lm/samples_wiki_2026-01-01T00-00-00.jsonl', [line(0, { word_perplexity: [-3, 2], bits: -2.5 })])
  await write('lm/samples_follow_2026-01-01T00-00-00.jsonl', [
    line(0, { strict: true, parts: [true, false, true, true] }),
    line(1, { strict: false, parts: [false, false] }),
  ])
  await write('lm/light.json', {
    config_general: { model_name: 'lab/small' },
    versions: {},
    results: { 'suite|math|0': { em: 0.5, em_stderr: 0.1 } },
  })
  const { shapes, runs } = await read('lm')
  expect(shapes).toEqual([
    'lm-eval small follow-0 strict passed',
    'lm-eval small follow-1 strict failed',
    'lm-eval small wiki-0 ',
    expect.stringMatching(/^lm-eval small suite.math.0\S* $/),
  ])
  expect(runs.map(({ scores }) => scores.map(({ value }) => value))).toEqual([[1, 0.75], [0, 0], [null, -2.5], [0.5]])
})

test('a sample has the scores of each filter of its answer, and the first one decides', async () => {
  const line = (doc_id: number, filter: string, exact_match: number) => ({
    doc_id,
    filter,
    doc: {},
    filtered_resps: ['4'],
    metrics: ['exact_match'],
    exact_match,
  })
  const lines = [line(0, 'strict', 0), line(1, 'strict', 1), line(0, 'flexible', 1), line(1, 'flexible', 1)]
  await write('filters/samples_math_2026-01-01T00-00-00.jsonl', lines)
  const { shapes, runs } = await read('filters')
  expect(shapes).toEqual(['lm-eval filters math-0 exact_match failed', 'lm-eval filters math-1 exact_match passed'])
  expect(runs.map(({ scores }) => scores.map(({ name, value }) => `${name} ${value}`).join())).toEqual([
    'exact_match 0,exact_match,flexible 1',
    'exact_match 1,exact_match,flexible 1',
  ])
})

test('an attempt that left no trajectory is one of the agent and the model that left the others', async () => {
  await write('without/small__suite__run/x__y-1/x__y-1.traj', {
    trajectory: [{ action: 'submit', observation: '' }],
    history: [],
    info: {},
  })
  await write('without/preds.json', { 'x__y-1': { model_name_or_path: 'team', model_patch: 'diff' } })
  await write('without/team.run.json', {
    submitted_ids: ['x__y-1', 'x__y-2'],
    resolved_ids: ['x__y-1'],
    empty_patch_ids: ['x__y-2'],
  })
  expect((await read('without')).shapes).toEqual([
    'swe-agent small x__y-2 resolved failed',
    'swe-agent small x__y-1 resolved passed',
  ])
})

test('the models of many reports are found among many predictions in linear time', async () => {
  await expectLinear((size) => {
    const models = Array.from({ length: size }, (_, index) => `lab/m${index}`)
    const reports = models.map((model) => ({
      file: { path: `runs/${model.replace('/', '__')}.run.json`, root: '', inside: '', size: 1 },
      document: { resolved_ids: [] },
    }))
    expect(namesOfReports(reports, models)).toEqual(models)
  }, 8000)
})

test('trajectories and outputs of one name in several folders are runs of their own, unless they are copies', async () => {
  const trajectory = (action: string) => ({ trajectory: [{ action, observation: '' }], history: [], info: {} })
  const output = (patch: string) => [{ instance_id: 'a', test_result: { git_patch: patch }, metadata: {}, history: [] }]
  const messages = (content: string) => ({
    info: {},
    messages: [
      { role: 'user', content },
      { role: 'assistant', content },
    ],
  })
  for (const [place, text] of [
    ['one', 'ls'],
    ['two', 'pwd'],
    ['copy', 'ls'],
  ] as const) {
    await write(`folders/${place}/run/a/a.traj`, trajectory(text))
    await write(`outputs/${place}/output.jsonl`, output(text))
    await write(`minis/${place}/run/a/a.traj.json`, messages(text))
  }
  for (const place of ['folders', 'outputs', 'minis']) {
    const { runs, reasons } = await read(place)
    expect(runs).toHaveLength(2)
    expect(reasons).toEqual(['it is a copy of a run in another file'])
  }
})

test('a run has the same key alone and beside a run of another name', async () => {
  for (const run of ['first', 'second'])
    await write(`keys/${run}/a/a.traj`, { trajectory: [{ action: run, observation: '' }], history: [], info: {} })
  const keysOf = async (path: string) => (await read(path)).runs.map(({ key }) => key.join(' '))
  expect(await keysOf('keys')).toEqual(['swe-agent first a', 'swe-agent second a'])
  expect(await keysOf('keys/first')).toEqual(['swe-agent first a'])
})
