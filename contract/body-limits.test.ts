import { expect, test } from 'vitest'
import { z } from 'zod'

import { allEndpoints } from './all-endpoints.ts'
import { limits } from '#contract/wire/limit.ts'

type Shape = {
  maxLength?: number
  maxItems?: number
  items?: Shape
  properties?: Record<string, Shape>
  anyOf?: Shape[]
  oneOf?: Shape[]
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** The bytes and values of the largest value that a schema says the length of. */
function largest(shape: Shape): { bytes: number; values: number } {
  const choices = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].map(largest)
  if (choices.length > 0)
    return {
      bytes: Math.max(...choices.map((each) => each.bytes)),
      values: Math.max(...choices.map((each) => each.values)),
    }
  if (shape.properties) {
    const fields = Object.entries(shape.properties).map(([name, field]) => ({ name, ...largest(field) }))
    return {
      bytes: sum(fields.map(({ name, bytes }) => name.length + bytes + 4)),
      values: 1 + sum(fields.map(({ values }) => values)),
    }
  }
  if (shape.items) {
    const item = largest(shape.items)
    const count = shape.maxItems ?? 20
    return { bytes: count * (item.bytes + 1), values: 1 + count * item.values }
  }
  return { bytes: (shape.maxLength ?? 36) + 2, values: 1 }
}

const bodies = allEndpoints
  .filter(({ method }) => method !== 'GET' && method !== 'DELETE')
  .map((endpoint) => {
    const schema = z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' })
    return { ...endpoint, largest: largest(schema as Shape) }
  })

test.each(bodies.filter(({ name }) => name !== 'experiments.push'))(
  '$name accepts the largest body that its fields allow',
  ({ bodyBytes, bodyValues, largest: { bytes, values } }) => {
    expect(bodyBytes).toBeGreaterThanOrEqual(bytes)
    expect(bodyValues).toBeGreaterThanOrEqual(values)
  },
)

test('an endpoint that says nothing takes a small body', () => {
  const larger = bodies.filter(({ bodyBytes }) => bodyBytes > limits.bodyBytes)
  expect(larger.length).toBeLessThan(bodies.length / 2)
  expect(bodies.find(({ name }) => name === 'invitations.join')).toMatchObject({ bodyBytes: 32_000, bodyValues: 1000 })
})
