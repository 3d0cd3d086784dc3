import { cancelRuns } from '#contract/runs.ts'
import { counted } from '#contract/wire/counted.ts'
import { exitCodes } from '#client/exit-codes.ts'
import type { Verb } from '#client/work.ts'
import { isYes } from './submit-request.ts'

export const cancelRequest =
  (id: string, { yes }: { yes?: true }): Verb =>
  async (work) => {
    const caller = await work.api()
    if (!yes && work.io.isTerminal && !(await isYes(work, `Cancel the runs of ${id} that have not ended?`)))
      return exitCodes.interrupted
    const receipt = await caller.call(cancelRuns, { id })
    work.show(receipt, `Canceled ${counted(receipt.canceledCount, 'run')}`)
    return exitCodes.done
  }
