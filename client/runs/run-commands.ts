import { choice, collect } from '#client/collect.ts'
import type { Commands, Verb } from '#client/work.ts'
import { RunResult } from '#contract/run-list.ts'
import { isTerminal, runStatuses } from '#contract/run-status.ts'
import { cancelRuns, getRun } from '#contract/runs.ts'
import { counted } from '#contract/wire/counted.ts'
import { exitCodes } from '#client/exit-codes.ts'
import { type ListOptions, listRunsOf } from './list-runs.ts'
import { type LogOptions, showLogs } from './show-logs.ts'
import { showRun } from './show-run.ts'
import { isYes, type SubmitOptions, submitRequest } from './submit-request.ts'
import { unfinishedOf } from './watch-request.ts'

const cancel =
  (id: string, { yes }: { yes?: true }): Verb =>
  async (work) => {
    const caller = await work.api()
    const { run, runRequest } = await caller.call(getRun, { id })
    const left = runRequest ? unfinishedOf(runRequest) : run && !isTerminal(run.status) ? 1 : 0
    const question = run ? 'Cancel this run?' : `Cancel the ${counted(left, 'run')} that have not ended?`
    if (left > 0 && !yes && work.io.isTerminal && !(await isYes(work, question))) return exitCodes.interrupted
    const request = run ? { id: run.runRequestId, runIds: [run.runUuid] } : { id }
    const receipt = await caller.call(cancelRuns, request)
    const ended = run ? 'The run has ended already' : 'All runs have ended already'
    work.show(receipt, receipt.canceledCount > 0 ? `Canceled ${counted(receipt.canceledCount, 'run')}` : ended)
    return exitCodes.done
  }

export function addRunCommands({ add, run }: Commands) {
  const submit = add('submit', 'submit runs of an experiment')
    .argument('[experiment]', 'an id, or a definition whose experiment was pushed; default: experiment.yaml')
    .option('--agent <id>', 'only this agent; repeatable', collect)
    .option('--model <id>', 'only this model; repeatable', collect)
    .option('--prompt <id>', 'only this prompt; repeatable', collect)
    .option('--variant <id>', 'only this variant; repeatable', collect)
    .option('--repeat <count>', 'runs of each variant', '1')
    .option('--against-version <fingerprint>', 'the version to run; default: the latest')
    .option('--max-cost <usd>', 'the most that the model calls of all runs may cost')
    .option('--mock', 'mock runs, which call no model and cost nothing')
    .option('--watch', 'watch the runs until all have ended; exit code 1 if one errored or was canceled')
    .option('--yes', 'do not ask whether the price is right')
    .action((experiment: string | undefined, options: SubmitOptions) => run(submit, submitRequest(experiment, options)))

  const list = add('runs', 'list runs, the newest first')
    .option('--experiment <id>', 'only runs of this experiment')
    .option('--request <id>', 'only runs of this request')
    .addOption(choice('--status <status>', 'only runs with this status; repeatable', runStatuses))
    .addOption(choice('--result <result>', 'only runs with this result; repeatable', RunResult.options))
    .option('--limit <count>', 'how many runs', '20')
    .action((options: ListOptions) => run(list, listRunsOf(options)))

  const show = add('show', 'show a run with its tests, or a request')
    .argument('<id>', 'the id of a run or of a request')
    .action((id: string) => run(show, showRun(id)))

  const logs = add('logs', 'print the transcript of a run')
    .argument('<run>', 'the id of the run')
    .option('--follow', 'print new turns until the run ends')
    .option('--reasoning', 'print what the agent thought, too')
    .action((id: string, options: LogOptions) => run(logs, showLogs(id, options)))

  const canceled = add('cancel', 'cancel a run, or every run of a request that has not ended')
    .argument('<id>', 'the id of a request or of a run')
    .option('--yes', 'do not ask')
    .action((id: string, options: { yes?: true }) => run(canceled, cancel(id, options)))
}
