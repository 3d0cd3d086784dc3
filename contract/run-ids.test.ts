import { expect, test } from 'vitest'
import { z } from 'zod'

import { allEndpoints } from './all-endpoints.ts'
import { ChartPoints, ChartRuns } from './chart-runs.ts'
import { HeatmapRuns } from './charts.ts'

type Schema = { properties?: Record<string, Schema>; format?: string }

/** All objects of a JSON Schema that have properties. */
function objectsIn(schema: unknown): Schema[] {
  if (typeof schema !== 'object' || schema === null) return []
  const inner = Object.values(schema).flatMap(objectsIn)
  return 'properties' in schema ? [schema as Schema, ...inner] : inner
}

const answers = [
  ...allEndpoints.map(({ name, response }) => [name, response] as const),
  ...Object.entries({ HeatmapRuns, ChartPoints, ChartRuns }),
]

test.each(answers)('in %s, runId is the composite id and runUuid is the UUID', (_, response) => {
  for (const { properties = {} } of objectsIn(z.toJSONSchema(response, { unrepresentable: 'any' }))) {
    expect(Object.keys(properties)).not.toContain('run_id')
    if (!properties['runId']) continue
    expect(properties['runId'].format).toBeUndefined()
    expect(properties['runUuid']?.format).toBe('uuid')
  }
})
