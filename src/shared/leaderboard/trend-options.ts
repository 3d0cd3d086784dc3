import type { Experiment } from '#contract/experiments.ts'
import { LeaderboardParameters } from '#contract/leaderboard.ts'
import { chartOptions } from '#src/api/charts.ts'
import type { DateUnit } from './trend-dates.ts'
import { defaultGrouping } from './groupings.ts'

type Grouped = Pick<Experiment, 'id' | 'axes'>

/** The leaderboard of every version of an experiment, by its axes and then a unit of time. */
export const trendOptions = ({ id, axes }: Grouped, unit: 'version' | DateUnit) =>
  chartOptions(
    'leaderboard',
    id,
    LeaderboardParameters.parse({ groupBy: `${defaultGrouping(axes)}~${unit}`, version: 'all' }),
  )
