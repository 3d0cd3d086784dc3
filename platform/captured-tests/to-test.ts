import type { CapturedTest } from '#contract/tests.ts'
import type { TestRow } from './store.ts'

export const toTest = ({ test: { name, ...test }, compositeId }: TestRow): CapturedTest => ({
  ...test,
  id: `${test.runId}:${test.ordinal}`,
  runId: compositeId,
  runUuid: test.runId,
  testName: name,
})
