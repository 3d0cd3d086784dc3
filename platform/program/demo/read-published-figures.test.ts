import { expect, test } from 'vitest'

import { readPublishedFigures } from './read-published-figures.ts'

test('the published figures have nine submissions with their published solved rates', async () => {
  const rates = (await readPublishedFigures()).map(({ submission: { agent, model }, trials }) => {
    const solved = trials.filter(({ trial }) => trial.is_resolved).length
    return `${agent} ${model}: ${solved} of ${trials.length}`
  })
  expect(rates).toHaveLength(9)
  expect(rates).toEqual(
    expect.arrayContaining(['droid claude-4.1-opus: 235 of 400', 'swe-agent-mini claude-4-sonnet: 51 of 400']),
  )
  expect(rates.every((rate) => rate.endsWith('of 400'))).toBe(true)
})
