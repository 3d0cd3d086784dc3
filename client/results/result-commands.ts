import { Argument, Option } from 'commander'
import { z } from 'zod'

import { choice } from '#client/collect.ts'
import type { Commands, Verb } from '#client/work.ts'
import { runStatuses } from '#contract/run-status.ts'
import { isCompositeRunId } from '#contract/wire/run-id.ts'
import { paths } from '#src/paths.ts'
import { type CompareOptions, compareTwo } from './compare-two.ts'
import { exportFormats, type ExportOptions, exportTo } from './export-to.ts'
import { type ResultOptions, showResults } from './show-results.ts'
import { querySql, type SqlOptions } from './query-sql.ts'

/** Opens a page of the app, and prints its address for terminals without a browser. */
const openPage =
  (id: string | undefined): Verb =>
  async ({ io, api, show }) => {
    const { url } = await api()
    const address = url + pathOf(id)
    io.openBrowser(address)
    show({ url: address }, address)
  }

function pathOf(id: string | undefined) {
  if (id === undefined) return paths.home()
  return isCompositeRunId(id) || z.uuid().safeParse(id).success ? paths.run(id) : paths.experiment(id)
}

const groupBy = () => new Option('--group-by <axes>', 'such as agent, or agent~model; default: the axes that vary')
const resultsVersion = () =>
  new Option('--results-version <fingerprint>', 'a version, or all; default: the latest with results')

export function addResultCommands({ add, run }: Commands) {
  const results = add('results', 'show the leaderboard of an experiment and what it proves')
    .argument('[experiment]', 'an id, or a definition; default: experiment.yaml')
    .addOption(groupBy())
    .addOption(resultsVersion())
    .action((experiment: string | undefined, options: ResultOptions) => run(results, showResults(experiment, options)))

  const compare = add('compare', 'compare two groups of an experiment')
    .argument('<experiment>', 'the id of the experiment, or a definition')
    .argument('<left>', 'a group, as results names it')
    .argument('<right>', 'the group to compare it with')
    .addOption(groupBy())
    .option('--metric <metric>', 'solved, passRate, costUsd, wallSeconds, totalTokens, or score: and a name', 'solved')
    .addOption(resultsVersion())
    .action((experiment: string, left: string, right: string, options: CompareOptions) =>
      run(compare, compareTwo(experiment, { left, right }, options)),
    )

  const sql = add('sql', 'query the results of your organization, or of one experiment')
    .addArgument(new Argument('<statement>', 'a SELECT; - reads it from standard input'))
    .option('--experiment <id>', 'only the runs of this experiment')
    .option('--limit <rows>', 'how many rows', '100')
    .action((statement: string, options: SqlOptions) => run(sql, querySql(statement, options)))

  const exported = add('export', 'download runs as a table, or an experiment with all its runs as an archive')
    .addOption(new Option('--format <format>').choices(exportFormats).default('csv'))
    .requiredOption('--output <file>', 'the file to write')
    .option('--experiment <id>', 'only runs of this experiment')
    .option('--request <id>', 'only runs of this request')
    .addOption(choice('--status <status>', 'only runs with this status; repeatable', runStatuses))
    .action((options: ExportOptions) => run(exported, exportTo(options)))

  const open = add('open', 'open an experiment, a run or a request in the browser')
    .argument('[id]', 'the id of a run, a request or an experiment; default: the start page')
    .action((id: string | undefined) => run(open, openPage(id)))
}
