import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { expectLinear, measured } from '#tools/processor-time.ts'
import type { Definition, VariantPattern } from './definition.ts'
import { type Variant, variantsOf } from './variants.ts'

const ids = (letter: string, count: number) => Array.from({ length: count }, (_, index) => `${letter}${index}`)

const axes = {
  id: 'x',
  name: 'X',
  agents: [
    { id: 'a0', command: ['true'], modes: ['m0', 'm1'] },
    { id: 'a1', command: ['true'] },
  ],
  models: ids('l', 3),
  products: ids('p', 2),
  environments: ids('e', 2).map((id) => ({ id })),
  prompts: ids('q', 3).map((id) => ({ id, text: id })),
} satisfies Definition

const matches = (variant: Variant, { mode, ...pattern }: VariantPattern) =>
  (mode === undefined || mode === variant.agentMode) &&
  Object.entries(pattern).every(([axis, value]) => variant[axis as keyof typeof pattern] === value)

const pattern = fc.record(
  {
    agent: fc.constantFrom('a0', 'a1'),
    mode: fc.constantFrom('m0', 'm1'),
    model: fc.constantFrom('l0', 'l1', 'l2'),
    product: fc.constantFrom('p0', 'p1'),
    environment: fc.constantFrom('e0', 'e1'),
    prompt: fc.constantFrom('q0', 'q1', 'q2'),
  },
  { requiredKeys: [] },
)

test('include and exclude choose the same variants as comparing each with each pattern', () => {
  const all = variantsOf(axes)
  expect(all).toHaveLength(3 * 3 * 2 * 2 * 3)
  const patterns = fc.array(pattern, { maxLength: 70 })
  fc.assert(
    fc.property(fc.option(patterns, { nil: undefined }), patterns, (include, exclude) => {
      const wanted = all.filter(
        (variant) =>
          (include?.some((each) => matches(variant, each)) ?? true) && !exclude.some((each) => matches(variant, each)),
      )
      expect(variantsOf({ ...axes, variants: { ...(include && { include }), exclude } })).toEqual(wanted)
    }),
  )
})

test('choosing variants takes little longer for more patterns', measured, async () => {
  await expectLinear((size) => {
    const exclude = Array.from({ length: size / 50 }, (_, index) => ({
      agent: 'a0',
      mode: 'm0',
      model: `other-${index}`,
    }))
    variantsOf({ ...axes, agents: axes.agents.slice(0, 1), products: ids('p', size / 36), variants: { exclude } })
  }, 100_000)
})
