import { useInfiniteList } from '#src/api/infinite-list.ts'
import { insightPagesOptions } from '#src/api/insights.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useExperimentId } from '#src/url/use-experiment-id.ts'
import { insightHref } from './insight-links.ts'
import classes from '#src/features/insights/query/insights.module.css'
import mutedText from '#src/ui/muted-text.module.css'

const shown = 8

/** The saved insights of an experiment and its runs, for its overview. */
export function ExperimentInsights() {
  const experiment = useExperimentId()
  // The list starts with the experiment's built-in charts, which the Results tab already shows.
  const list = useInfiniteList(insightPagesOptions({ experiment }, shown + 3))
  const saved = list.rows?.filter((one) => one.type === 'sql') ?? []
  return (
    <Section title="Insights" aside={<TextLink href={paths.query({ experiment })}>New query</TextLink>}>
      {list.error && <ErrorNotice title="The insights could not be loaded" error={list.error} onRetry={list.retry} />}
      {list.rows && saved.length === 0 && <p className={mutedText.note}>No saved insights for this experiment yet.</p>}
      <ul className={classes.lines}>
        {saved.slice(0, shown).map((insight) => (
          <li key={insight.id} className={classes.line}>
            <TextLink href={insightHref(insight.reference)}>{insight.heading}</TextLink>
            <span className={mutedText.note}>
              {insight.owner.name} · <RelativeTime at={insight.updatedAt} />
            </span>
          </li>
        ))}
      </ul>
      {(saved.length > shown || list.more) && <TextLink href={paths.insights({ experiment })}>All insights</TextLink>}
    </Section>
  )
}
