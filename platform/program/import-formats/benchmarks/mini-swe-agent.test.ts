import { afterAll, expect, test } from 'vitest'

import { readSome, storedTurns } from '#platform/program/testing/read-some.ts'
import { writtenFiles } from '#platform/program/testing/written-files.ts'

const { folder, write, remove } = await writtenFiles()
afterAll(() => remove())

const read = async (path: string) => {
  const { runs } = await readSome([`${folder}/${path}`])
  return { runs, turns: runs.map(({ transcript }) => storedTurns(transcript)) }
}

test('the first versions of mini-swe-agent have commands in fenced blocks, and their output in the next message', async () => {
  const fenced = (command: string) => `Look\n\n\`\`\`mswea_bash_command\n${command}\n\`\`\``
  const shown = async (name: string, messages: readonly unknown[]) => {
    await write(`${name}/a.traj.json`, JSON.stringify(messages))
    return (await read(name)).turns[0]?.map(({ kind, text, failed }) => `${kind} ${text}${failed ? ' failed' : ''}`)
  }
  const asked = [
    { role: 'system', content: 'Be good' },
    { role: 'user', content: fenced('never run') },
    { role: 'assistant', content: fenced('cat a\ncat b') },
  ]
  const output = '<returncode>1</returncode>\n<output>\nno such file\n</output>'
  expect((await shown('mini-fenced', [...asked, { role: 'user', content: output }]))?.slice(2)).toEqual([
    `message ${fenced('cat a\ncat b')}`,
    'tool_call cat a\ncat b',
    'tool_result no such file failed',
  ])
  expect((await shown('chat', [...asked, { role: 'user', content: 'Thanks' }]))?.slice(2)).toEqual([
    `message ${fenced('cat a\ncat b')}`,
    'message Thanks',
  ])
})

test('a trajectory of mini-swe-agent 2 has its actions, their output and its tokens, also of responses', async () => {
  const of = (name: string, messages: readonly object[]) =>
    write(`mini/${name}.traj.json`, {
      trajectory_format: 'mini-swe-agent-1.1',
      info: { exit_status: 'LimitsExceeded', submission: '', model_stats: { instance_cost: 0.5 } },
      messages: [{ role: 'system', content: 'Be good' }, { role: 'user', content: 'Fix it' }, ...messages],
    })
  await of('chat', [
    {
      role: 'assistant',
      content: 'I look',
      extra: { actions: [{ command: 'ls' }], response: { usage: { prompt_tokens: 7, completion_tokens: 2 } } },
    },
    { role: 'user', content: '<returncode>1</returncode>', extra: { returncode: 1 } },
    { role: 'exit', content: 'LimitsExceeded' },
  ])
  await of('responses', [
    {
      object: 'response',
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
        { type: 'function_call', name: 'bash', arguments: '{"command":"ls"}', call_id: 'c' },
      ],
      usage: { input_tokens: 9, output_tokens: 3 },
      extra: { actions: [{ command: 'ls' }] },
    },
    { type: 'function_call_output', call_id: 'c', output: 'a.py' },
  ])
  const { runs, turns } = await read('mini')
  expect(runs.map(({ inputTokens, outputTokens, status }) => [inputTokens, outputTokens, status])).toEqual([
    [7, 2, 'errored'],
    [9, 3, 'errored'],
  ])
  expect(turns.map((of) => of.slice(2).map(({ role, kind, text }) => `${role} ${kind} ${text}`))).toEqual([
    [
      'assistant message I look',
      'assistant tool_call ls',
      'tool tool_result <returncode>1</returncode>',
      'system message LimitsExceeded',
    ],
    ['assistant reasoning hm', 'assistant tool_call {"command":"ls"}', 'tool tool_result a.py'],
  ])
})
