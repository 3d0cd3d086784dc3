import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'

import { ForWriters } from '#src/shared/writers/ForWriters.tsx'
import { costHistoryOptions } from '#src/api/runs.ts'
import { usd } from '#src/format/money.ts'
import { matchedNoun, unitOf } from '#src/format/comparison-sentence.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import type { Comparison } from '#statistics/compare-groups.ts'
import { sameResultRuns } from '#statistics/leaderboard/repeats-needed.ts'
import { type MorePrompts, morePrompts } from '#statistics/more-prompts.ts'
import { type MoreRepeats, moreRepeats } from '#statistics/more-repeats.ts'
import { submissionPrice, toCostHistory } from '#statistics/submission-price.ts'
import mutedText from '#src/ui/muted-text.module.css'
import type { PairNames } from './compare-pairs.ts'
import type { Sides } from './compare-sides.ts'
import classes from './Compare.module.css'
import { variantsToRepeat } from './variants-to-repeat.ts'

type Props = { experimentId: string; comparison: Comparison; sides: Sides; labels: PairNames }

/**
 * States how many more prompts or repeats would decide a pair and what repeats would cost, and links to a prepared
 * submit form.
 */
export function MoreRepeatsOffer({ experimentId, comparison, sides, labels }: Props) {
  const more = useMemo(() => moreRuns(comparison), [comparison])
  if (more.kind === 'not needed') return null
  if (more.kind === 'no difference')
    return (
      <p className={classes.note}>
        No difference observed. If that stays so, more runs show none either, but they lower how large it may be.
      </p>
    )
  if (more.kind === 'no variance') return <p className={classes.note}>{noVarianceText(comparison)}</p>
  const noun = matchedNoun(comparison)
  const words = more.kind === 'prompts' ? promptWords(more, unitOf(comparison), noun) : repeatWords(more, noun)
  if (isOutOfReach(more))
    return <p className={classes.note}>{words} would be needed to detect a difference this small.</p>
  const repeats = typeof more.repeats === 'number' ? more.repeats : null
  return (
    <div className={classes.offer}>
      <p className={classes.note}>
        <b>{words}</b> would detect a difference between {labels.left} and {labels.right} with 80 % power, if effect and
        variance stay the same.{more.kind === 'prompts' && ` ${repeatsAlone[repeatsKind(more)]}`}
      </p>
      {repeats !== null &&
        variantsToRepeat(sides, comparison).map((variants, _place, all) => (
          <VersionRepeats
            key={variants.version}
            experimentId={experimentId}
            repeats={repeats}
            variants={variants}
            namesVersion={all.length > 1}
          />
        ))}
    </div>
  )
}

const moreRuns = (comparison: Comparison): MoreRepeats | MorePrompts =>
  comparison.scope === 'prompts like these' ? morePrompts(comparison) : moreRepeats(comparison)

const isOutOfReach = (more: MoreRepeats | MorePrompts) =>
  more.kind === 'more than' || (more.kind === 'prompts' && more.isMoreThan && typeof more.repeats !== 'number')

const repeatWords = ({ kind, repeats }: Extract<MoreRepeats, { repeats: number }>, noun: string) =>
  `${kind === 'more than' ? 'More than' : 'About'} ${counted(repeats, 'more repeat')} per ${noun}`

function promptWords({ prompts, isMoreThan, repeats }: MorePrompts, unit: string, noun: string) {
  const morePrompts = `${isMoreThan ? 'More than' : 'About'} ${counted(prompts, `more ${unit}`)} like these`
  return typeof repeats === 'number'
    ? `${morePrompts}, or ${counted(repeats, 'more repeat')} per ${noun},`
    : morePrompts
}

function noVarianceText(comparison: Comparison) {
  const { scope, cells } = comparison
  if (scope === 'prompts like these')
    return `It is unknown how many more ${unitOf(comparison)}s would show a difference: the difference so far is the same on every ${unitOf(comparison)}.`
  const runs = sameResultRuns(cells, 1)
  return runs === null
    ? 'It is unknown how many more repeats would show a difference: repeats have not differed so far.'
    : `Repeats have not differed so far. If that stays so, ${counted(runs, 'run')} per ${matchedNoun(comparison)} would show a difference.`
}

const repeatsKind = ({ repeats }: MorePrompts) => (typeof repeats === 'number' ? 'enough' : repeats)

const repeatsAlone = {
  enough: '',
  never:
    'More repeats of these prompts alone would not be enough, because the difference varies too much between prompts.',
  unknown: 'It is unknown whether more repeats would be enough, because some prompts have a single run on one side.',
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
    () => submissionPrice({ variantIds, repeat: repeats }, toCostHistory(history.data?.runs ?? [])),
    [history.data, variantIds, repeats],
  )
  const runs = counted(repeats * variantIds.length, 'run')
  return (
    <div className={classes.repeats}>
      <ForWriters>
        <Button
          component={Link}
          to={paths.submit(experimentId, { version, variant: variantIds, repeat: repeats, mock })}
          variant="default"
        >
          Submit {counted(repeats, 'more repeat')}
          {namesVersion && ` of v${ordinal}`}
        </Button>
      </ForWriters>
      <span className={mutedText.small}>
        {runs}
        {mock
          ? ' (mock runs, free)'
          : price.p50 === null
            ? ', no cost history'
            : `: ${usd(price.p50)} typical (P50), ${usd(price.p90)} high (P90)${
                price.unknownCount > 0 ? `, ${counted(price.unknownCount, 'variant')} without history excluded` : ''
              }`}
      </span>
    </div>
  )
}
