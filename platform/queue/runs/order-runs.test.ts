import { expect, test } from 'vitest'

import { orderRuns } from './order-runs.ts'

const variantsOf = (prompts: number, repeats: number) =>
  Array.from({ length: prompts }, (_, prompt) => `p${prompt}`).flatMap((prompt) =>
    ['left', 'right'].map((agent) => ({ variant: { prompt, agent }, repeats })),
  )

const promptsOf = (runs: readonly { variant: { prompt: string | null } }[]) => [
  ...new Set(runs.map(({ variant }) => variant.prompt)),
]

test('the runs of a request start prompt by prompt, and the groups of a prompt take turns', () => {
  const runs = orderRuns(variantsOf(5, 2), 'request')
  expect(runs).toHaveLength(20)
  for (let start = 0; start < 20; start += 4) {
    const ofPrompt = runs.slice(start, start + 4)
    expect(promptsOf(ofPrompt)).toHaveLength(1)
    expect(ofPrompt.map(({ variant, repeat }) => `${variant.agent} ${repeat}`)).toEqual([
      'left 1',
      'right 1',
      'left 2',
      'right 2',
    ])
  }
})

test('the order of prompts is that of the request, which is another one for each request', () => {
  const [first, again, second] = ['a', 'a', 'b'].map((id) => promptsOf(orderRuns(variantsOf(20, 1), id)))
  expect(again).toEqual(first)
  expect(second).not.toEqual(first)
  expect(second?.toSorted()).toEqual(first?.toSorted())
  expect(first).not.toEqual(first?.toSorted())
})

test('each prompt is among the first tenth of a request about as often as any other', () => {
  const first = Array.from({ length: 1000 }, (_, id) =>
    promptsOf(orderRuns(variantsOf(20, 1), `request ${id}`)).slice(0, 2),
  )
  for (let prompt = 0; prompt < 20; prompt += 1) {
    const times = first.filter((prompts) => prompts.includes(`p${prompt}`)).length
    expect(times).toBeGreaterThan(60)
    expect(times).toBeLessThan(140)
  }
})

test('variants with different numbers of runs and without a prompt keep every run', () => {
  const wanted = [
    { variant: { prompt: null, agent: 'a' }, repeats: 1 },
    { variant: { prompt: null, agent: 'b' }, repeats: 3 },
  ]
  expect(orderRuns(wanted, 'r').map(({ variant, repeat }) => `${variant.agent} ${repeat}`)).toEqual([
    'a 1',
    'b 1',
    'b 2',
    'b 3',
  ])
})
