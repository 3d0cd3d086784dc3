import { expect, test } from 'vitest'

import type { Variant } from '#contract/variants.ts'
import { judgeRequest } from './judge-request.ts'
import { makeDesign } from './make-design.ts'

const place = (prompt: number) => String(prompt).padStart(3, '0')
const axes = { agentMode: null, model: null, product: null, environment: null }
const variants = Array.from({ length: 24 }, (_, prompt) =>
  ['good', 'bad'].map((agent): Variant => {
    return { variantId: `${agent}~p${place(prompt)}`, agent, ...axes, prompt: `p${place(prompt)}` }
  }),
).flat()
const tasksOfSize = (size: number) =>
  Array.from({ length: 24 }, (_, prompt) => ({ prompt: `p${place(prompt)}`, task: `t${Math.floor(prompt / size)}` }))
const designOf = (size: number) =>
  makeDesign({ groupBy: 'agent' }, { variants, repeat: 1, promptTasks: tasksOfSize(size) })

test('a request stops when decided only if its prompts are variants of enough tasks', () => {
  expect(() => designOf(3)).toThrow(/more than 10 tasks .* there are 8/)
  expect(designOf(2)).toMatchObject({ promptCount: 24, promptTasks: tasksOfSize(2) })
  expect(makeDesign({ groupBy: 'agent' }, { variants, repeat: 1, promptTasks: [] })).not.toHaveProperty('promptTasks')
})

test('a request is judged early only after ten tasks, whatever the number of their prompts', () => {
  const counts = variants.map(({ agent, prompt, ...variant }) => {
    const solved = agent === 'good' || prompt === 'p000' ? 1 : 0
    const counted = {
      runs: 1,
      ended: 1,
      canceled: 0,
      canceledByStop: 0,
      cut: 0,
      counted: 1,
      solved,
      costUsd: 1,
      paid: 1,
    }
    return { agent, prompt, ...variant, place: prompt ?? '', ...counted }
  })
  const alone = makeDesign({ groupBy: 'agent' }, { variants, repeat: 1, promptTasks: [] })
  expect(judgeRequest(alone, counts).verdict).toEqual({ kind: 'decided', when: 'early', look: 9 })
  expect(judgeRequest(designOf(2), counts).verdict).toEqual({ kind: 'decided', when: 'early', look: 18 })
})
