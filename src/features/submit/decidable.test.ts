import { expect, test } from 'vitest'

import { runsToEnd, toNewSubmission, toSubmission } from './submission-values.ts'
import { noSelectors } from './selected-variants.ts'
import { whyNotDecidable } from './decidable.ts'

const variantsOf = (agents: readonly string[], prompts: number) =>
  agents.flatMap((agent) =>
    Array.from({ length: prompts }, (_, place) => ({
      variantId: `${agent}~p${place}`,
      agent,
      agentMode: null,
      model: null,
      product: null,
      environment: null,
      prompt: `p${place}`,
    })),
  )

const best = { decideBy: 'agent', decideLeft: '', decideRight: '' }
const pair = { decideBy: 'agent', decideLeft: 'a', decideRight: 'b' }

test('the form says why a selection cannot stop when decided, as the platform would', () => {
  expect(whyNotDecidable(best, variantsOf(['a', 'b'], 11))).toBeNull()
  expect(whyNotDecidable(pair, variantsOf(['a', 'b', 'c'], 11))).toBeNull()
  expect(whyNotDecidable(runsToEnd, variantsOf(['a'], 1))).toBeNull()
  expect(whyNotDecidable(best, variantsOf(['a', 'b'], 10))).toContain('there are 10 prompts')
  expect(whyNotDecidable(best, variantsOf(['a'], 20))).toContain('at least two groups')
  expect(whyNotDecidable(pair, variantsOf(['a', 'c'], 20))).toContain('two of the selected groups')
  expect(whyNotDecidable({ ...pair, decideRight: 'a' }, variantsOf(['a', 'b'], 20))).toContain('two of the')
})

test('only new runs send a question; a schedule repeats its submission to the end', () => {
  const values = {
    version: '',
    selectors: noSelectors,
    repeat: 5,
    flags: [],
    mock: true,
    maxCostUsd: '',
    endUsd: 2,
  } as const
  const asked = { ...values, flags: [], ...pair }
  expect(toNewSubmission(asked).untilDecided).toEqual({ groupBy: 'agent', between: ['a', 'b'], endUsd: 2 })
  expect(toNewSubmission({ ...asked, ...best, endUsd: '' }).untilDecided).toEqual({ groupBy: 'agent' })
  expect(toNewSubmission({ ...asked, ...runsToEnd })).not.toHaveProperty('untilDecided')
  expect(toSubmission(asked)).not.toHaveProperty('untilDecided')
})
