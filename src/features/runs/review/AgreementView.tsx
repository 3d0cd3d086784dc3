import { Select, Skeleton, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { z } from 'zod'

import type { Agreement, Kappa, KappaInterval } from '#contract/reviews.ts'
import { reviewOptions } from '#src/api/reviews.ts'
import type { RunFilters } from '#src/api/runs.ts'
import { count, counted, percent } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import classes from './review.module.css'

/** Cohen's κ of two people over the runs of the filters that both tagged. */
export function AgreementView({ filters }: { filters: RunFilters }) {
  const [pair, setPair] = useState<{ first?: string; second?: string }>({})
  const { data, error, refetch } = useQuery({
    ...reviewOptions({ ...filters, ...pair }),
    placeholderData: (previous) => previous,
  })
  if (error) return <ErrorNotice title="The review could not be loaded" error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  const { agreement, reviewers } = data
  if (!agreement)
    return (
      <p className={classes.hint}>
        {reviewers.length === 0
          ? 'Nobody has tagged any of these runs yet'
          : `Only ${reviewers[0]?.person.name} has tagged runs`}
        : agreement needs two people who tag the same runs.
      </p>
    )
  const people = reviewers.map(({ person, runs }) => ({
    value: person.id,
    label: `${person.name}, ${counted(runs, 'run')}`,
  }))
  const chosen = { first: agreement.first.id, second: agreement.second.id }
  return (
    <div className={classes.agreement}>
      <div className={classes.people}>
        {(['first', 'second'] as const).map((place) => (
          <Select
            key={place}
            label={place === 'first' ? 'First reviewer' : 'Second reviewer'}
            data={people.filter(({ value }) => value !== chosen[place === 'first' ? 'second' : 'first'])}
            value={chosen[place]}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={(id) => id && setPair({ ...chosen, [place]: id })}
          />
        ))}
      </div>
      <KappaLine sets={agreement.sets} intervals={agreement.intervals} />
      {agreement.tags.length > 0 && <TagTable agreement={agreement} />}
      {agreement.pairs.length > 0 && <PairTable agreement={agreement} />}
    </div>
  )
}

type KappaProps = { sets: Kappa; intervals: Agreement['intervals'] }

function KappaLine({ sets: { runs, agreed, observed, expected, kappa }, intervals }: KappaProps) {
  return (
    <div>
      <p className={classes.kappa}>
        Cohen’s κ <strong>{kappa === null ? 'not defined' : kappaText(kappa)}</strong>
      </p>
      {kappa !== null && intervals && <p className={classes.hint}>{intervalsText(intervals)}</p>}
      <p className={classes.hint}>
        {runs === 0
          ? 'These reviewers have no tagged run in common.'
          : `Both tagged ${counted(runs, 'run')} and chose the same tags for ${count(agreed)} (${percent(observed ?? 0)}). By chance they would agree on ${percent(expected ?? 0)}.`}
        {kappa === null &&
          runs > 0 &&
          ' Both reviewers gave every run the same tags, so the agreement expected by chance is 100 % and κ is not defined.'}
      </p>
      <p className={classes.hint}>
        κ = (observed − expected) ÷ (1 − expected): 1 is full agreement, 0 is agreement by chance. The category of a run
        is the set of its tags. Runs that only one of the two tagged do not count, and neither do runs with only a note.
      </p>
    </div>
  )
}

function TagTable({ agreement: { tags, first, second } }: { agreement: Agreement }) {
  return (
    <ScrollRegion label="Agreement on each tag" className={classes.scroll}>
      <Table className={classes.table}>
        <thead>
          <tr>
            <th>Tag</th>
            <th>Both</th>
            <th>Only {first.name}</th>
            <th>Only {second.name}</th>
            <th>Neither</th>
            <th>κ</th>
          </tr>
        </thead>
        <tbody>
          {tags.map((tag) => (
            <tr key={tag.name}>
              <th scope="row">{tag.name}</th>
              <td>{count(tag.both)}</td>
              <td>{count(tag.onlyFirst)}</td>
              <td>{count(tag.onlySecond)}</td>
              <td>{count(tag.neither)}</td>
              <td title={tag.intervals && intervalsText(tag.intervals)}>
                {tag.kappa === null ? 'not defined' : kappaText(tag.kappa)}
                {tag.intervals?.thesePrompts && ` (${rangeText(tag.intervals.thesePrompts)})`}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollRegion>
  )
}

type Range = z.infer<typeof KappaInterval>

const shownPairs = 20

function PairTable({ agreement: { pairs, first, second } }: { agreement: Agreement }) {
  return (
    <ScrollRegion label="Tags on the same runs" className={classes.scroll}>
      <Table className={classes.table}>
        <thead>
          <tr>
            <th>{first.name}</th>
            <th>{second.name}</th>
            <th>Runs</th>
          </tr>
        </thead>
        <tbody>
          {pairs.slice(0, shownPairs).map((pair) => (
            <tr key={JSON.stringify([pair.first, pair.second])}>
              <td>{pair.first.join(' + ')}</td>
              <td>{pair.second.join(' + ')}</td>
              <td>{count(pair.runs)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {pairs.length > shownPairs && (
        <p className={classes.hint}>{counted(pairs.length - shownPairs, 'rarer pair')} not shown.</p>
      )}
    </ScrollRegion>
  )
}

const kappaText = (kappa: number) => kappa.toFixed(2).replace('-', '−')

const rangeText = ({ low, high }: Range) => `${kappaText(low)} to ${kappaText(high)}`

/** `95 % CI: 0.21 to 0.59 for these prompts, 0.12 to 0.68 for prompts like these.` */
function intervalsText({ thesePrompts, promptsLikeThese }: NonNullable<Agreement['intervals']>) {
  const known = [
    thesePrompts && `${rangeText(thesePrompts)} for these prompts`,
    promptsLikeThese && `${rangeText(promptsLikeThese)} for prompts like these`,
  ].filter((text) => text !== null)
  return known.length === 0 ? 'Too few runs for a confidence interval.' : `95 % CI: ${known.join(', ')}.`
}
