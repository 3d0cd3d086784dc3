import type { Experiment } from '#contract/experiments.ts'
import { LeaderboardParameters } from '#contract/leaderboard.ts'
import { chartOptions } from '#src/api/charts.ts'
import type { DateUnit } from './trend-dates.ts'
import { defaultGrouping } from './groupings.ts'

type Grouped = Pick<Experiment, 'id' | 'axes' | 'variants'>

/** The leaderboard of every version of an experiment, by its axes and then a unit of time. */
export const trendOptions = (experiment: Grouped, unit: 'version' | DateUnit) =>
  chartOptions(
    'leaderboard',
    experiment.id,
    LeaderboardParameters.parse({ groupBy: `${defaultGrouping(experiment)}~${unit}`, version: 'all' }),
  )
