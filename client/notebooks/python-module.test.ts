import { expect, test } from 'vitest'

import { allEndpoints } from '#contract/all-endpoints.ts'
import { pythonModule, pythonName } from './python-module.ts'

test('every operation of the API is a method, under a name of its own', () => {
  const text = pythonModule()
  const names = allEndpoints.filter(({ base }) => base === '/api/v1').map(({ name }) => pythonName(name))
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(text).toContain(`    def ${name}(self`)
})
