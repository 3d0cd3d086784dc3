import { seriesColor } from './series.ts'
import classes from './Swatch.module.css'

/** The color of a group beside its name. */
export const Swatch = ({ series }: { series: number }) => (
  <svg className={classes.swatch} width={10} height={10} viewBox="0 0 10 10" aria-hidden>
    <rect width={10} height={10} rx={2} fill={seriesColor(series)} />
  </svg>
)
