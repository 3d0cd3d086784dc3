import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { allEndpoints } from './all-endpoints.ts'
import { sentencesOf } from './plain-messages.ts'

const sentences = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value)
  return error && sentencesOf(error)
}
const a = (schema: z.ZodType) => z.object({ a: schema })
const shape = z.strictObject({ id: z.string(), size: z.int().optional() })

describe('validation messages', () => {
  test.each([
    ['a missing field', a(z.string()), {}, '`a` is required'],
    ['a missing choice', a(z.enum(['x', 'y'])), {}, '`a` is required'],
    ['a missing alternative', a(z.union([z.string(), shape])), {}, '`a` is required'],
    ['null in place of a value', a(z.string()), { a: null }, '`a` is required'],
    ['a number for text', a(z.string()), { a: 1 }, '`a` must be text'],
    ['text for a number', a(z.number()), { a: 'x' }, '`a` must be a number'],
    ['a fraction', a(z.int()), { a: 1.5 }, '`a` must be a whole number'],
    ['text for a flag', a(z.boolean()), { a: 'yes' }, '`a` must be true or false'],
    ['text for a list', a(z.array(z.string())), { a: 'x' }, '`a` must be a list'],
    ['a list for an object', a(shape), { a: [] }, '`a` must be an object'],
    ['text for a record', a(z.record(z.string(), z.string())), { a: 'x' }, '`a` must be an object'],
    ['a field that must not be sent', a(z.never()), { a: 1 }, '`a` is not allowed here'],
    ['a large number', a(z.int().max(1000)), { a: 1001 }, '`a` must be 1,000 or less'],
    ['a number at an open bound', a(z.number().lt(5)), { a: 5 }, '`a` must be less than 5'],
    ['a small number', a(z.int().min(1)), { a: 0 }, '`a` must be 1 or more'],
    ['a number that must be positive', a(z.number().gt(0)), { a: 0 }, '`a` must be more than 0'],
    ['a long text', a(z.string().max(2000)), { a: 'x'.repeat(2001) }, '`a` must be 2,000 characters or less'],
    ['an empty text', a(z.string().min(1)), { a: '' }, '`a` must not be empty'],
    ['a short text', a(z.string().min(3)), { a: 'x' }, '`a` must be 3 characters or more'],
    ['a long list', a(z.array(z.any()).max(1)), { a: [1, 2] }, '`a` must have 1 item or less'],
    ['an empty list', a(z.array(z.any()).min(1)), { a: [] }, '`a` must not be empty'],
    ['no UUID', a(z.uuid()), { a: 'x' }, '`a` must be a UUID'],
    ['no URL', a(z.url()), { a: 'x' }, '`a` must be a URL'],
    ['no email address', a(z.email()), { a: 'x' }, '`a` must be an email address'],
    ['no timestamp', a(z.iso.datetime()), { a: 'x' }, '`a` must be an RFC 3339 timestamp'],
    ['another pattern', a(z.string().regex(/^x$/)), { a: 'y' }, '`a` does not have the right form'],
    ['a value of its own message', a(z.string().min(1, 'must not be blank')), { a: '' }, '`a` must not be blank'],
    [
      'a message that is a complete sentence',
      a(z.string().refine(() => false, 'duplicate x')),
      { a: '' },
      '`a`: duplicate x',
    ],
    ['a rule without a message', a(z.string().refine(() => false)), { a: '' }, '`a` is not accepted'],
    ['a choice', a(z.enum(['x', 'y'])), { a: 'z' }, '`a` must be one of x, y'],
    ['a constant', a(z.literal('x')), { a: 'z' }, '`a` must be x'],
    ['no multiple', a(z.int().multipleOf(5)), { a: 3 }, '`a` must be a multiple of 5'],
    [
      'unknown fields',
      a(shape),
      { a: { id: 'x', b: 1, c: 2 } },
      '`a.b` is not a known field; `a.c` is not a known field',
    ],
    [
      'an unknown name',
      z.record(z.string().regex(/^x$/), z.any()),
      { 'a b': 1 },
      '`["a b"]` is not an accepted name: it does not have the right form',
    ],
    [
      'a choice with the empty text',
      a(z.union([z.literal(''), z.enum(['x'])])),
      { a: 'z' },
      '`a` must be one of "", x',
    ],
    ['no alternative', a(z.union([z.string(), shape])), { a: 1 }, '`a` must be text or an object'],
    ['a fault of the alternative meant', a(z.union([z.string(), shape])), { a: { id: 1 } }, '`a.id` must be text'],
    [
      'a fault in a list',
      z.object({ evidence: z.array(a(z.string())) }),
      { evidence: [{ a: 'x' }, {}] },
      '`evidence[1].a` is required',
    ],
    [
      'an item of a map',
      a(z.map(z.object({}), z.string())),
      { a: new Map([[{}, 1]]) },
      '`a` has an item that is not accepted',
    ],
    ['an item of a set', a(z.set(z.string())), { a: new Set([1]) }, '`a` must be text'],
    ['no object at all', shape, 7, 'The body must be an object'],
  ])('%s has a plain validation message', (_, schema, value, sentence) => {
    expect(sentences(schema, value)).toBe(sentence)
  })
})

const validatorWording =
  /Invalid (input|option|string|key|discriminator|value)|: expected|, received|Too (big|small)|Unrecognized|ZodError|>=|<=/

/** Values of every kind; no field accepts all of them. */
const oddValues = [undefined, null, true, -1.5, 1e12, '', ' ', 'x'.repeat(3000), [], [[]], [{}], { 'no such': 1 }, ['']]

test('no endpoint returns the validator’s own messages', () => {
  for (const { name, query, body } of allEndpoints)
    for (const schema of [query, body])
      for (const field of ['nobody', ...Object.keys(schema.shape)])
        for (const value of oddValues) {
          const { error } = schema.safeParse({ [field]: value })
          for (const said of error ? [sentencesOf(error), ...error.issues.map(({ message }) => message)] : [])
            expect(`${name} ${said}`).not.toMatch(validatorWording)
        }
})
