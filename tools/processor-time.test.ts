import { expect, test } from 'vitest'

import { expectLinear } from './processor-time.ts'

/** Work of this many steps. */
function spend(steps: number) {
  let sum = 0
  for (let step = 0; step < steps; step += 1) sum = (sum + step) | 0
  return sum
}

test('linear work passes however long it takes, and quadratic work fails', async () => {
  await expectLinear((size) => spend(size * 1000), 1_000_000)
  await expect(expectLinear((size) => spend(size * size), 32_000)).rejects.toThrow('milliseconds for a size of 32000')
})
