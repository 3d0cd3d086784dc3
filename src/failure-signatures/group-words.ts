import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'

/** The values of a group as words: `droid · claude-4.1-opus`. */
export const groupWords = (group: string) => groupLabel(group).replaceAll('~', ' · ')
