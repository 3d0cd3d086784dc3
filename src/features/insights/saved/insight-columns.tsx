import type { Provenance } from '#contract/insight-fields.ts'
import type { ListedInsight } from '#src/api/insights.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import type { Column } from '#src/ui/table/column.ts'
import classes from '#src/features/insights/query/insights.module.css'

export const insightColumns: Column<ListedInsight>[] = [
  {
    id: 'heading',
    header: 'Insight',
    cell: ({ heading, description }) => (
      <span className={classes.heading} title={description}>
        {heading}
      </span>
    ),
    value: ({ heading }) => heading,
  },
  {
    id: 'scope',
    header: 'Scope',
    value: ({ provenance }) => scopeWords(provenance),
    width: '200px',
    from: 'sm',
  },
  {
    id: 'labels',
    header: 'Labels',
    cell: ({ labels }) => labels.join(', ') || '–',
    value: ({ labels }) => labels.join(', ') || null,
    width: '160px',
    from: 'md',
  },
  {
    id: 'owner',
    header: 'Owner',
    cell: (insight) => (insight.type === 'sql' ? insight.owner.name : 'built in'),
    value: (insight) => (insight.type === 'sql' ? insight.owner.name : null),
    width: '144px',
    from: 'md',
  },
  {
    id: 'published',
    header: 'Published',
    cell: (insight) =>
      insight.type === 'sql' && insight.publishedAt ? <RelativeTime at={insight.publishedAt} /> : '–',
    value: (insight) => (insight.type === 'sql' ? (insight.publishedAt ?? null) : null),
    align: 'right',
    width: '104px',
    from: 'sm',
  },
  {
    id: 'changed',
    header: 'Updated',
    cell: (insight) => (insight.type === 'sql' ? <RelativeTime at={insight.updatedAt} /> : '–'),
    value: (insight) => (insight.type === 'sql' ? insight.updatedAt : null),
    align: 'right',
    width: '104px',
    from: 'sm',
  },
  {
    id: 'slug',
    header: 'Slug',
    value: (insight) => (insight.type === 'sql' ? insight.slug : insight.reference),
    width: '200px',
    optional: true,
  },
]

/** The scope of a query in one word. */
const scopeWords = ({ kind, experimentId, runId }: Provenance) =>
  kind === 'run' ? `run ${runId ?? ''}` : kind === 'experiment' ? (experimentId ?? '') : 'organization'
