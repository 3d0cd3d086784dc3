import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'

import { costHistoryOptions } from '#src/api/runs.ts'
import { usd } from '#src/format/money.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import type { Comparison } from '#src/statistics/compare-groups.ts'
import { moreRepeats } from '#src/statistics/more-repeats.ts'
import { priceOf, toCostHistory } from '#src/statistics/price.ts'
import type { PairNames } from './compare-pairs.ts'
import type { Sides } from './compare-sides.ts'
import classes from './Compare.module.css'
import { variantsToRepeat } from './variants-to-repeat.ts'

type Props = { experimentId: string; comparison: Comparison; sides: Sides; labels: PairNames }

/** How many more repeats would resolve a pair, what they would cost, and a Submit form filled in with them. */
export function MoreRepeatsOffer({ experimentId, comparison, sides, labels }: Props) {
  const more = useMemo(() => moreRepeats(comparison), [comparison])
  if (more.kind === 'not needed') return null
  if (more.kind === 'no difference')
    return <p className={classes.note}>The means are equal: no number of repeats would show a difference of nothing.</p>
  if (more.kind === 'more than')
    return (
      <p className={classes.note}>
        More than {counted(more.repeats, 'more repeat')} of every matched cell would be needed to resolve a difference
        as small as this, against how much runs vary.
      </p>
    )
  return (
    <div className={classes.offer}>
      <p className={classes.note}>
        About <b>{counted(more.repeats, 'more repeat')}</b> of every matched cell would resolve {labels.left} and{' '}
        {labels.right}, in four of five such experiments, if runs go on to differ and vary as these do.
      </p>
      {variantsToRepeat(sides, comparison).map((variants, _place, all) => (
        <VersionRepeats
          key={variants.version}
          experimentId={experimentId}
          repeats={more.repeats}
          variants={variants}
          namesVersion={all.length > 1}
        />
      ))}
    </div>
  )
}

type VersionProps = {
  experimentId: string
  repeats: number
  variants: ReturnType<typeof variantsToRepeat>[number]
  namesVersion: boolean
}

function VersionRepeats({ experimentId, repeats, variants, namesVersion }: VersionProps) {
  const { version, ordinal, variantIds, mock } = variants
  const history = useQuery({ ...costHistoryOptions(experimentId), enabled: !mock })
  const price = useMemo(
    () => priceOf({ variantIds, repeat: repeats }, toCostHistory(history.data?.runs ?? [])),
    [history.data, variantIds, repeats],
  )
  const runs = counted(repeats * variantIds.length, 'run')
  return (
    <div className={classes.repeats}>
      <Button
        component={Link}
        to={paths.submit(experimentId, { version, variant: variantIds, repeat: repeats, mock })}
        variant="default"
      >
        Submit {counted(repeats, 'more repeat')}
        {namesVersion && ` of v${ordinal}`}
      </Button>
      <span className={classes.extent}>
        {runs}
        {mock
          ? ', mock: they cost nothing'
          : price.p50 === null
            ? ', no cost history'
            : `, likely ${usd(price.p50)} (P50), at most ${usd(price.p90)} in nine of ten cases (P90)${
                price.unknownCount > 0 ? `, ${counted(price.unknownCount, 'variant')} without history left out` : ''
              }`}
      </span>
    </div>
  )
}
