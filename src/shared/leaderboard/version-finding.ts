import { counted, pointsText } from '#src/format/numbers.ts'
import type { HeatmapCell } from '#contract/charts.ts'
import { findFlips } from '#statistics/leaderboard/flips.ts'
import { type TrendStep, byStep } from '#statistics/leaderboard/trends.ts'

/** How the newest version differs from the one before it, where that is more than chance. */
export type VersionFinding = {
  version: string
  since: string
  isWorse: boolean
  /** `v2 is worse than v1: tokenizer −100.0 points.` */
  sentence: string
}

/** Groups that are named; the others are counted. */
const namedGroups = 2

type Change = NonNullable<TrendStep['change']>
type Trend = { label: string; steps: readonly Pick<TrendStep, 'at' | 'change'>[] }
type Changed = { label: string; change: Change }

/**
 * What to say first of an experiment whose newest version changed the solved rate of a group. Null if no group is shown to
 * have changed since the version before it.
 */
export function findVersionChange(trends: readonly Trend[]): VersionFinding | null {
  const newest = trends.flatMap(({ steps }) => steps.map(({ at }) => at)).toSorted(byStep)
  const version = newest.at(-1)
  const since = newest.findLast((at) => at !== version)
  if (version === undefined || since === undefined) return null
  const changed = trends.flatMap(({ label, steps }): Changed[] => {
    const last = steps.at(-1)
    return last?.at === version && last.change?.since === since ? [{ label, change: last.change }] : []
  })
  const worse = changed.filter(({ change }) => change.verdict === 'worse').toSorted(byDifference)
  const better = changed.filter(({ change }) => change.verdict === 'better').toSorted((a, b) => byDifference(b, a))
  if (worse.length + better.length === 0) return null
  const names = { version, since, isWorse: worse.length > 0 }
  const isOnly = changed.length === 1
  if (better.length === 0) return { ...names, sentence: `${version} is worse than ${since}: ${listed(worse, isOnly)}.` }
  if (worse.length === 0)
    return { ...names, sentence: `${version} is better than ${since}: ${listed(better, isOnly)}.` }
  return {
    ...names,
    sentence: `${version} is worse than ${since} for some groups and better for others: ${listed(worse)}; ${listed(better)}.`,
  }
}

const byDifference = (a: Changed, b: Changed) => (a.change.difference ?? 0) - (b.change.difference ?? 0)

/** `tokenizer −100.0 points and splitter −20.0 points`; without names where there is one group. */
function listed(changed: readonly Changed[], isOnly = false) {
  const texts = changed.map(({ label, change }) => {
    const points = `${pointsText(change.difference)} points`
    return isOnly ? points : `${label} ${points}`
  })
  return joined(texts)
}

/** A test that fails more often in a version than in the one before, with its failures over the groups where it does. */
export type BrokenTest = { test: string; groups: readonly string[]; failed: number; runs: number }

/**
 * The tests that broke by more than chance between two versions, those with most evidence first, of cells that are grouped by
 * axes and then the version.
 */
export function testsBrokenBetween(
  cells: readonly HeatmapCell[],
  { version, since }: Pick<VersionFinding, 'version' | 'since'>,
): BrokenTest[] {
  const isOfPair = ({ group }: HeatmapCell) => [version, since].includes(group.slice(group.lastIndexOf('~') + 1))
  const broken = findFlips(cells.filter(isOfPair))
    .filter((flip) => flip.isShown && flip.kind === 'regression' && flip.version === version && flip.since === since)
    .toSorted((a, b) => a.adjustedP - b.adjustedP)
  return [...Map.groupBy(broken, ({ test }) => test)].map(([test, ofTest]) => ({
    test,
    groups: ofTest.map(({ group }) => group),
    failed: ofTest.reduce((sum, { now }) => sum + now.failed, 0),
    runs: ofTest.reduce((sum, { now }) => sum + now.counted, 0),
  }))
}

function joined(texts: readonly string[]) {
  if (texts.length <= namedGroups) return texts.join(' and ')
  return `${texts.slice(0, namedGroups).join(', ')} and ${counted(texts.length - namedGroups, 'more group')}`
}
