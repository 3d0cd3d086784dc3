import { Anchor } from '@mantine/core'

import { scoreNameOf } from '#contract/score-measures.ts'
import type { ScoreMeasure } from '#contract/scores.ts'
import { count, emptyValue } from '#src/format/numbers.ts'
import classes from '#src/shared/leaderboard/Leaderboard.module.css'
import { RateBar } from '#src/shared/leaderboard/RateBar.tsx'
import { type NameOfStep, type TrendWords, verdictText } from '#src/shared/leaderboard/trend-lines.ts'
import type { Trend, TrendMetric, TrendStep } from '#statistics/leaderboard/trends.ts'
import type { Column } from '#src/ui/table/column.ts'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import type { TrendUnit } from './trend-parameters.ts'

type Row = TrendStep & { group: string; label: string }

type Props = {
  trends: readonly Trend[]
  unit: TrendUnit
  metric: TrendMetric
  words: TrendWords
  nameOf: NameOfStep
  onSelect: (group: string) => void
}

const units: Record<TrendUnit, { header: string; label: string; width: string; first: string }> = {
  version: {
    header: 'Version',
    label: 'changes by version',
    width: 'clamp(56px, 18cqw, 84px)',
    first: 'first version',
  },
  day: { header: 'Day', label: 'changes by day', width: 'clamp(76px, 24cqw, 120px)', first: 'first day' },
  week: {
    header: 'Week of',
    label: 'changes by week',
    width: 'clamp(76px, 24cqw, 120px)',
    first: 'first week',
  },
}

const headers: Record<Exclude<TrendMetric, ScoreMeasure>, string> = {
  solved: 'Solved',
  passRate: 'Test pass rate',
  costUsd: 'Model cost per run',
  wallSeconds: 'Time per run',
}

/** Every version, day or week of every group, newest first, beside the one before it. */
export function TrendTable({ trends, ...shown }: Props) {
  const rows = trends.flatMap(({ group, label, steps }) =>
    steps.map((step): Row => ({ ...step, group, label })).toReversed(),
  )
  return (
    <DataTable
      label={units[shown.unit].label}
      columns={toColumns(shown)}
      rows={rows}
      rowId={({ group, at }) => `${group} ${at}`}
      empty={{ title: 'No finished runs' }}
    />
  )
}

function toColumns({ unit, metric, words, nameOf, onSelect }: Omit<Props, 'trends'>): Column<Row>[] {
  const { header, width, first } = units[unit]
  return [
    { id: 'group', header: 'Group', value: ({ label }) => label },
    {
      id: 'version',
      header,
      cell: ({ at, row }) => (
        <Anchor component="button" type="button" fz="inherit" onClick={() => onSelect(row.group)}>
          {nameOf(at)}
        </Anchor>
      ),
      value: ({ at }) => at,
      width,
    },
    valueColumn(metric, words),
    {
      id: 'change',
      header: 'Change',
      cell: ({ change }) =>
        change ? (
          <span className={classes.difference}>
            {words.change(change.difference)} <small>since {nameOf(change.since)}</small>
          </span>
        ) : (
          emptyValue
        ),
      value: ({ change }) => change?.difference ?? null,
      width: '112px',
    },
    {
      id: 'interval',
      header: '95 % CI',
      hint: 'Of the change, over the prompts that both have runs on',
      cell: ({ change }) =>
        change?.interval ? `${words.change(change.interval.low)} to ${words.change(change.interval.high)}` : emptyValue,
      width: '176px',
      from: 'md',
    },
    {
      id: 'verdict',
      header: 'Verdict',
      hint: 'Whether the change is more than chance, corrected for the number of changes in this table',
      cell: ({ change }) => (change ? verdictText(change, words) : first),
      value: ({ change }) => (change ? words.verdicts[change.verdict] : null),
      width: 'clamp(132px, 20cqw, 240px)',
      from: 'sm',
    },
    {
      id: 'runs',
      header: 'Runs',
      cell: ({ runs }) => count(runs),
      value: ({ runs }) => runs,
      align: 'right',
      width: '72px',
      from: 'md',
    },
  ]
}

function valueColumn(metric: TrendMetric, { format }: TrendWords): Column<Row> {
  const name = scoreNameOf(metric)
  const header = name === null ? headers[metric as keyof typeof headers] : `Mean ${name}`
  const shared = { header, from: 'sm' as const, value: ({ value }: Row) => value }
  if (metric === 'solved' || metric === 'passRate')
    return {
      ...shared,
      id: metric,
      cell: ({ value, interval, runs }) => <RateBar rate={{ share: value, interval, runs }} />,
      width: 'clamp(140px, 42cqw, 220px)',
    }
  return {
    ...shared,
    id: metric,
    cell: ({ value, interval }) =>
      interval ? `${format(value)} (${format(interval.low)} to ${format(interval.high)})` : format(value),
    width: 'clamp(140px, 42cqw, 220px)',
  }
}
