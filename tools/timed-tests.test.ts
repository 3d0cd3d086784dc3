import { globSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

test('no test fails because a machine is slow: `expectLinear` compares two sizes in one run', () => {
  const files = globSync('**/*.test.{ts,tsx}', { exclude: ['node_modules', 'dist'] })
  const timed = files.filter((file) => /(?:performance\.now|[cC]puUsage)\(.*toBeLess/.test(readFileSync(file, 'utf8')))
  expect(files.length).toBeGreaterThan(500)
  expect(timed).toEqual([])
})
