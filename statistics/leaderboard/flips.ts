import type { HeatmapCell } from '#contract/charts.ts'
import { countedTests } from '#contract/outcomes.ts'
import { byStep } from './trends.ts'

/** A test that every run of a group passed in one version, and some or all of them no longer in the next, or the reverse. */
export type Flip = {
  group: string
  test: string
  kind: 'regression' | 'fix'
  /** The newest version with runs of the group, and the one before it. */
  version: string
  since: string
  /** Outcomes in the version in which the test fails. */
  failed: number
  counted: number
}

/** What flipped between the two newest versions of each group, in cells that are grouped by axes and then the version. */
export function findFlips(cells: readonly HeatmapCell[]): Flip[] {
  const ofGroup = Map.groupBy(cells, ({ group }) => group.slice(0, group.lastIndexOf('~')))
  return [...ofGroup].flatMap(([group, all]) => flipsOf(group, all))
}

function flipsOf(group: string, cells: readonly HeatmapCell[]): Flip[] {
  const ofVersion = Map.groupBy(cells, (cell) => cell.group.slice(cell.group.lastIndexOf('~') + 1))
  const [since, version] = [...ofVersion.keys()].toSorted(byStep).slice(-2)
  if (since === undefined || version === undefined) return []
  const before = new Map(ofVersion.get(since)?.map((cell) => [cell.test, cell]))
  return (ofVersion.get(version) ?? []).flatMap((now) => {
    const then = before.get(now.test)
    if (!then || countedTests(then) === 0 || countedTests(now) === 0) return []
    const [failedThen, failedNow] = [countedTests(then) - then.passed, countedTests(now) - now.passed]
    // It passes in both, or fails in both.
    if (failedThen > 0 === failedNow > 0) return []
    const failing = failedNow > 0 ? now : then
    const kind: Flip['kind'] = failedNow > 0 ? 'regression' : 'fix'
    const [failed, counted] = [failedThen + failedNow, countedTests(failing)]
    return [{ group, test: now.test, kind, version, since, failed, counted }]
  })
}
