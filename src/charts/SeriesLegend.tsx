import { count } from '#src/format/numbers.ts'
import classes from './SeriesLegend.module.css'
import { Swatch } from './Swatch.tsx'

/** A legend counts more entries instead of listing them: they would cover the chart, and what is below it. */
export const legendSize = { whole: 24, small: 6 }

type LegendEntry = { name: string; series: number }

type Props = {
  entries: readonly LegendEntry[]
  most?: number
  /** The group that stands out, and what to call when the pointer is at another. */
  shown: string | null
  onShow: (name: string | null) => void
}

/** The colors of a chart's groups. The pointer at an entry makes its marks stand out, and at a mark its entry. */
export const SeriesLegend = ({ entries, most = legendSize.whole, shown, onShow }: Props) => (
  <ul className={classes.legend} aria-label="Colors" onPointerLeave={() => onShow(null)}>
    {entries.slice(0, most).map(({ name, series }) => (
      <li key={name} data-faint={(shown !== null && shown !== name) || undefined} onPointerEnter={() => onShow(name)}>
        <Swatch series={series} />
        {name}
      </li>
    ))}
    {entries.length > most && <li>and {count(entries.length - most)} more</li>}
  </ul>
)
