import '#src/ui/status-marks.css'
import { VisuallyHidden } from '@mantine/core'
import { use } from 'react'

import type { RunEnding } from '#contract/run-endings.ts'
import { count } from '#src/format/numbers.ts'
import { LinkContext } from '#src/ui/LinkContext.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './Endings.module.css'
import { describeEndings, type EndingCount, endingMarks } from './run-endings.ts'

type Props = {
  counts: readonly EndingCount[]
  /** The list of the runs that ended in this way; null where the list cannot select them. */
  hrefOf?: ((ending: RunEnding) => string | null) | undefined
}

/** How the runs of a group ended, as one stacked bar whose parts lead to their runs. The legend has the same links by keyboard. */
export function EndingsBar({ counts, hrefOf }: Props) {
  const { Link } = use(LinkContext)
  return (
    <span className={classes.root}>
      <VisuallyHidden>{describeEndings(counts)}</VisuallyHidden>
      <span className={classes.bar} aria-hidden>
        {counts.map(({ ending, runs }) => {
          const href = hrefOf?.(ending)
          const { label, tone } = endingMarks[ending]
          return (
            <span
              key={ending}
              className={classes.part}
              data-tone={tone}
              data-ending={ending}
              style={{ flexGrow: runs }}
              title={`${count(runs)} ${label}`}
            >
              {href && (
                <Link href={href} className={classes.fill ?? ''} tabIndex={-1}>
                  {null}
                </Link>
              )}
            </span>
          )
        })}
      </span>
    </span>
  )
}

/** What the colors of the bars mean, with the number of runs of each kind and a link to them. */
export const EndingsLegend = ({ counts, hrefOf }: Props) => (
  <ul className={classes.legend} aria-label="How runs ended">
    {counts.map(({ ending, runs }) => {
      const { label, tone, says } = endingMarks[ending]
      const words = `${count(runs)} ${label}`
      const href = hrefOf?.(ending)
      return (
        <li key={ending} data-tone={tone} title={says}>
          <span className={classes.swatch} data-ending={ending} aria-hidden />
          {href ? <TextLink href={href}>{words}</TextLink> : words}
        </li>
      )
    })}
  </ul>
)
