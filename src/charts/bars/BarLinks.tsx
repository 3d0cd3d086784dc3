import { use } from 'react'
import { usePlotArea, useXAxisScale } from 'recharts'

import { LinkContext } from '#src/ui/LinkContext.ts'
import type { StackedBar } from './stacked-bar.ts'
import classes from './StackedBars.module.css'

/** The room of each bar, from the axis to the top, as a link to everything behind the bar. */
export function BarLinks({ bars }: { bars: readonly StackedBar[] }) {
  const { Link } = use(LinkContext)
  const plot = usePlotArea()
  const toX = useXAxisScale()
  if (!plot || !toX) return null
  return bars.map(({ key, href, words }) => {
    const [start, end] = [toX(key, { position: 'start' }), toX(key, { position: 'end' })]
    if (start === undefined || end === undefined) return null
    return (
      <Link key={key} href={href} className={classes.bar}>
        <title>{words}</title>
        <rect x={start} width={end - start} y={plot.y} height={plot.height} className={classes.room} />
      </Link>
    )
  })
}
