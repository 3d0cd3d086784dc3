import { ChartMeasure } from '#contract/charts.ts'
import { scoreNameOf } from '#contract/score-measures.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { CommandError } from '#client/exit-codes.ts'
import { wrapWords } from '#client/terminal/wrap-words.ts'
import { readExperimentId } from '#client/runs/submit-request.ts'
import type { Verb } from '#client/work.ts'
import {
  allPairs,
  comparePair,
  comparePairs,
  correctPairs,
  isSamePair,
  judge,
  type PairNames,
} from '#src/features/results/compare/compare-pairs.ts'
import { quotePair } from '#src/features/results/compare/quote-pair.ts'
import { maxRanked } from '#statistics/leaderboard/relate-rows.ts'
import { readPoints, readSummary } from './read-chart.ts'

export type CompareOptions = { groupBy?: string; metric: string; resultsVersion?: string }

export const compareTwo =
  (experiment: string, wanted: PairNames, options: CompareOptions): Verb =>
  async (work) => {
    const caller = await work.api()
    const compared = await compareInExperiment(caller, await readExperimentId(work, experiment), wanted, options)
    work.show(compared, wrapWords(compared.sentence, work.io.columns.out))
  }

/** Compares two groups as the page does: with the verdict that accounts for the number of groups. */
export async function compareInExperiment(
  caller: ApiCaller,
  experimentId: string,
  wanted: PairNames,
  { groupBy: askedBy, metric, resultsVersion }: CompareOptions,
) {
  const measure = readMeasure(metric)
  const version = resultsVersion === undefined ? {} : { version: resultsVersion }
  const summary = await readSummary(caller, {
    experimentId,
    kind: 'leaderboard',
    parameters: { ...version, ...(askedBy !== undefined && { groupBy: askedBy }) },
  })
  const names = { left: findGroup(summary.groups, wanted.left), right: findGroup(summary.groups, wanted.right) }
  if (names.left.group === names.right.group) throw new CommandError('Name two different groups')
  const pair = { left: names.left.group, right: names.right.group }
  const { groupBy } = summary
  const score = scoreNameOf(measure)
  const runs = await readPoints(caller, experimentId, {
    ...version,
    groupBy,
    ...(score !== null && { quality: measure }),
  })
  const question = { compared: groupBy, measure, scope: null }
  const comparison = comparePair(runs, pair, question)
  const groups = [...new Set(runs.map(({ group }) => group))]
  const pairs = groups.length > 2 && groups.length <= maxRanked ? allPairs(groups) : []
  const corrected = correctPairs(pairs, comparePairs(runs, pairs, question), measure)
  const correction = { groups: groups.length, pairs: corrected }
  const correctedP = corrected.find((each) => isSamePair(each, pair))?.correctedP ?? null
  const judged = groups.length > 2 ? judge(comparison, correctedP) : comparison
  const labels = { left: names.left.label, right: names.right.label }
  return {
    experimentId,
    version: summary.version,
    groupBy,
    metric: measure,
    left: pair.left,
    right: pair.right,
    sentence: quotePair(comparison, { names: pair, labels, measure, correction }),
    verdict: judged.verdict,
    difference: comparison.difference,
    interval: comparison.interval,
    pValue: groups.length > 2 ? correctedP : comparison.pValue,
    scope: comparison.scope,
  }
}

function readMeasure(text: string): ChartMeasure {
  const parsed = ChartMeasure.safeParse(text)
  if (parsed.success) return parsed.data
  throw new CommandError(
    `--metric has no measure ${text}. Use solved, passRate, costUsd, wallSeconds, or score: and a name`,
  )
}

type Group = { group: string; values: readonly string[] }

/** A group by its value, its label, or the one axis value that only it has. */
function findGroup(groups: readonly Group[], text: string) {
  const named = groups.map(({ group, values }) => ({ group, values, label: values.join(' · ') || group }))
  const exact = named.find(({ group, label }) => group === text || label === text)
  if (exact) return exact
  const [only, ...others] = named.filter(({ values }) => values.includes(text))
  if (only && others.length === 0) return only
  const known = named.map(({ label }) => label).join(', ')
  throw new CommandError(
    `${only ? `Several groups have ${text}` : `There is no group ${text}`}. The groups are: ${known || 'none'}`,
  )
}
