import type { OpenJob } from '#platform/ground/content/content-job.ts'
import { type FailureRows, failureRowsOf, type PrintedTest } from './failure-rows.ts'

/** Finds the failures of tests in what they printed, in a content process. */
export const open: OpenJob<null, readonly PrintedTest[], FailureRows> = () => failureRowsOf
