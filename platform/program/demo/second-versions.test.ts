import { load } from 'js-yaml'
import { expect, test } from 'vitest'

import { checkDefinition } from '#contract/check-definition.ts'
import { readExamples } from './seed-examples.ts'
import { secondVersions, toSecondVersion } from './second-versions.ts'

const examples = await readExamples()

test('every example has a second version', () => {
  expect(Object.keys(secondVersions).sort()).toEqual(examples.map(({ id }) => id))
})

test.each(examples)('the second version of $id is valid and differs from the first', ({ id, yaml }) => {
  const second = toSecondVersion(id, yaml)
  expect(second).not.toBe(yaml)
  expect(checkDefinition(load(second)).issues).toEqual([])
})
