import type { OpenJob } from '#platform/ground/content/content-job.ts'
import type { TrialLogs, TrialRequest } from './read-trial-apart.ts'
import { readTestOutput, readTrialTranscript } from './trial-transcript.ts'

/** All tests of a trial shared one terminal, so each shows the end of it. */
const maxTailCharacters = 16 * 1024

/** Reads the recordings of a trial, in a content process. */
export const open: OpenJob<null, TrialRequest, TrialLogs> =
  () =>
  async ({ logs, instruction }) => {
    const turns = (await readTrialTranscript(logs, instruction)) ?? []
    return {
      lines: Buffer.from(turns.map((turn) => `${JSON.stringify(turn)}\n`).join('')),
      turnCount: turns.length,
      testOutput: (await readTestOutput(logs)).slice(-maxTailCharacters),
    }
  }
