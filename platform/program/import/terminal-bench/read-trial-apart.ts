import { z } from 'zod'

import { Bytes, type ContentJob } from '#platform/ground/content/content-job.ts'
import { askContent } from '#platform/ground/content/content-pool.ts'

/** `logs` is the folder of a trial. */
export type TrialRequest = { logs: string; instruction: string | null }

/** The turns as JSON lines, and the end of what the tests printed. */
const TrialLogs = z.object({ lines: Bytes, turnCount: z.int().min(0), testOutput: z.string() })
export type TrialLogs = z.infer<typeof TrialLogs>

const readTrial: ContentJob<null, TrialRequest, TrialLogs> = {
  module: new URL('./trial-work.ts', import.meta.url),
  answer: TrialLogs,
  processorSeconds: 60,
}

/** Reads the recordings of a trial in a content process. */
export const readTrialApart = (request: TrialRequest): Promise<TrialLogs> => askContent(readTrial, null, request)
