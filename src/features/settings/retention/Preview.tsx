import { useQuery } from '@tanstack/react-query'

import {
  keepTag,
  retentionKinds,
  type RetentionLoss,
  type RetentionPreview,
  type RetentionRules,
} from '#contract/retention.ts'
import { retentionPreviewOptions } from '#src/api/retention.ts'
import { calendarDay, exactTime } from '#src/format/dates.ts'
import { bytes, count, counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { Section } from '#src/ui/Section.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { serverNow } from '#src/format/server-clock.ts'
import mutedText from '#src/ui/muted-text.module.css'
import { kindLabels } from './kind-words.ts'
import classes from './retention.module.css'

/** What the rules in the form would remove now. */
export function Preview({ rules }: { rules: RetentionRules }) {
  const hasRule = retentionKinds.some((kind) => rules[kind] !== null)
  const { data, error, refetch, isPlaceholderData } = useQuery({ ...retentionPreviewOptions(rules), enabled: hasRule })
  if (!hasRule) return null
  const isEmpty = data?.losses.every((loss) => loss.count === 0)
  return (
    <Section title="Preview">
      <div aria-busy={isPlaceholderData} className={classes.preview}>
        <DataTable
          label="what these rules would remove now"
          columns={columns}
          rows={data?.losses}
          rowId={({ kind }) => kind}
          error={error}
          onRetry={() => void refetch()}
          empty={{ title: 'Nothing to remove' }}
        />
        {data && <p className={mutedText.note}>{whenText(data, isEmpty ?? true)}</p>}
        {data && <Kept preview={data} />}
      </div>
    </Section>
  )
}

const whenText = ({ removesFrom }: RetentionPreview, isEmpty: boolean) =>
  isEmpty
    ? 'These rules would remove nothing now.'
    : Date.parse(removesFrom) > serverNow()
      ? `If you save now, Assay removes these after ${exactTime(removesFrom)}.`
      : 'Assay removes these within the hour.'

function Kept({ preview: { keptRuns, affectedInsights } }: { preview: RetentionPreview }) {
  const { byExperiment, byTag, byPublishedInsight } = keptRuns
  const reasons = [
    byExperiment > 0 && `${counted(byExperiment, 'run')} of kept experiments`,
    byTag > 0 && `${counted(byTag, 'run')} with the tag “${keepTag}”`,
    byPublishedInsight > 0 && `${counted(byPublishedInsight, 'run')} in published insights`,
  ].filter((reason) => reason !== false)
  return (
    <>
      {reasons.length > 0 && (
        <p className={mutedText.note}>Old enough, but kept: {new Intl.ListFormat('en').format(reasons)}.</p>
      )}
      {affectedInsights.length > 0 && (
        <p className={mutedText.note}>
          Published insights over all experiments keep no runs, so their numbers can change:{' '}
          {affectedInsights.map(({ id, heading }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <TextLink href={paths.insight(id)}>{heading}</TextLink>
            </span>
          ))}
          .
        </p>
      )}
    </>
  )
}

const columns: Column<RetentionLoss>[] = [
  { id: 'kind', header: 'Kind', width: '40%', cell: ({ kind }) => kindLabels[kind] },
  { id: 'count', header: 'Removed', align: 'right', cell: (loss) => count(loss.count) },
  { id: 'size', header: 'Size', align: 'right', cell: sizeText },
  {
    id: 'oldest',
    header: 'Oldest',
    from: 'sm',
    cell: ({ oldest }) => (oldest === null ? '–' : calendarDay(oldest)),
  },
]

function sizeText({ bytes: size, isEstimate, count: removed }: RetentionLoss) {
  if (size === null || removed === 0) return '–'
  return `${isEstimate ? 'about ' : ''}${bytes(size)}`
}
