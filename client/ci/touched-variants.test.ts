import { expect, test } from 'vitest'

import { Definition } from '#contract/definition.ts'
import { findTouchedVariants } from './touched-variants.ts'

const base = {
  id: 'gate',
  name: 'Gate',
  agents: [
    { id: 'a', command: ['a'], modes: ['default'] },
    { id: 'b', command: ['b'] },
  ],
  prompts: [
    { id: 'easy', text: 'Do it', files: [{ source: 'easy.txt', dest: 'task.txt' }] },
    { id: 'hard', text: 'Do it well' },
  ],
  tests: [{ name: 'works', command: ['true'] }],
}

/** The variants that differ from the base. */
function touched(change: object, hashes: [string, string][] = []) {
  const before = { definition: Definition.parse(base), hashes: new Map([['easy.txt', '1']]) }
  const after = {
    definition: Definition.parse({ ...base, ...change }),
    hashes: new Map([['easy.txt', '1'], ...hashes] as [string, string][]),
  }
  return findTouchedVariants(before, after).map(({ variantId }) => variantId)
}

test('a title, a filter and the order of fields touch no variant', () => {
  expect(touched({ name: 'Other', description: 'Why', variants: { exclude: [{ agent: 'a' }] } })).toEqual([])
  expect(touched({ agents: [{ modes: ['default'], command: ['a'], id: 'a' }, base.agents[1]] })).toEqual([])
})

test('a changed agent or prompt touches its variants, and a new one its own', () => {
  expect(touched({ agents: [base.agents[0], { id: 'b', command: ['b', '--fast'] }] })).toEqual(['b~easy', 'b~hard'])
  expect(touched({ prompts: [base.prompts[0], { id: 'hard', text: 'Do it better' }] })).toEqual([
    'a~default~hard',
    'b~hard',
  ])
  expect(touched({ agents: [{ ...base.agents[0], modes: ['default', 'plan'] }, base.agents[1]] })).toEqual([
    'a~plan~easy',
    'a~plan~hard',
  ])
})

test('the content of a file touches the prompt that names it', () => {
  expect(touched({}, [['easy.txt', '2']])).toEqual(['a~default~easy', 'b~easy'])
})

test('a change that every run sees touches all variants', () => {
  expect(touched({ tests: [{ name: 'works', command: ['false'] }] })).toHaveLength(4)
  expect(touched({ limits: { maxTimeSeconds: 5 } })).toHaveLength(4)
})
