import mutedText from '#src/ui/muted-text.module.css'
import { Swatch } from './Swatch.tsx'
import classes from './ChartTooltip.module.css'

/** One value under the pointer: of which group, and what it reads, with its interval and its number of runs. */
export type Reading = { key: string; series: number | null; name: string; text: string; detail?: string | undefined }

type Read = { title: string; readings: readonly Reading[] }

type Props<Datum> = {
  /** What stands at a place on the axis, or of a mark; null if nothing does. */
  read: (at: { label: string | number; datum: Datum | undefined }) => Read | null
  /** The next ones are from Recharts, which gives them to the content of its tooltip. */
  active?: boolean
  label?: string | number
  payload?: readonly { payload?: Datum }[]
}

/** The tooltip of every chart. Screen readers read it when the arrow keys move it. */
export function ChartTooltip<Datum>({ read, active, label = '', payload }: Props<Datum>) {
  const found = active ? read({ label, datum: payload?.[0]?.payload }) : null
  return <div aria-live="polite">{found && <TooltipBox {...found} />}</div>
}

export const TooltipBox = ({ title, readings }: Read) => (
  <div className={classes.tooltip} data-unpublished="">
    {title !== '' && <b>{title}</b>}
    {readings.map(({ key, series, name, text, detail }) => (
      <div key={key} className={classes.reading}>
        {series !== null && <Swatch series={series} />}
        <span className={classes.name}>{name}</span>
        <span className={classes.value}>{text}</span>
        {detail !== undefined && <span className={mutedText.plain}>{detail}</span>}
      </div>
    ))}
  </div>
)
