import { Box } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'

import { ForWriters } from '#src/shared/writers/ForWriters.tsx'
import { experimentOptions } from '#src/api/experiments.ts'
import { useLatestRequests } from '#src/api/latest-requests.ts'
import { useLiveResults } from '#src/api/live-results.ts'
import { useVersionFinding, VersionFinding } from '#src/shared/leaderboard/VersionFinding.tsx'
import { count } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { ImportedNotice } from '#src/ui/ImportedNotice.tsx'
import { RequestRows } from '#src/ui/RequestRows.tsx'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { AxesList } from '#src/ui/AxesList.tsx'
import classes from './OverviewTab.module.css'
import { OverviewCommits } from './commits/OverviewCommits.tsx'
import { OverviewFailures } from './OverviewFailures.tsx'
import { OverviewLeaderboard } from './OverviewLeaderboard.tsx'
import { OverviewTaskNotes } from './OverviewTaskNotes.tsx'
import { OverviewTrend } from './OverviewTrend.tsx'
import { Links } from './links/Links.tsx'
import { useExperimentId } from '#src/url/use-experiment-id.ts'

export function OverviewTab() {
  const id = useExperimentId()
  const { data: experiment, dataUpdatedAt } = useSuspenseQuery(experimentOptions(id))
  const live = useLiveResults(experiment, dataUpdatedAt)
  const { finding } = useVersionFinding(experiment, live)
  const latest = useLatestRequests({ experimentId: id }, 5)
  return (
    <div className={classes.columns}>
      <div className={classes.parts}>
        <VersionFinding experiment={experiment} live={live} />
        <Section
          title="Leaderboard"
          aside={experiment.latestOutcomes && <TextLink href={paths.experiment(id, 'results')}>Results</TextLink>}
        >
          <div className={classes.board}>
            <OverviewLeaderboard experiment={experiment} live={live} isBelowFinding={finding !== null} />
          </div>
        </Section>
        <Section title="Latest requests" aside={<TextLink href={paths.experiment(id, 'runs')}>All runs</TextLink>}>
          <RequestRows
            label="latest requests"
            requests={latest.requests}
            error={latest.error}
            onRetry={latest.retry}
            showsExperiment={false}
            empty={{
              title: 'No runs yet',
              hint: 'Its runs appear here once somebody submits it.',
              action: (
                <ForWriters>
                  <TextLink href={paths.submit(id)}>Submit runs</TextLink>
                </ForWriters>
              ),
            }}
          />
        </Section>
      </div>
      <div className={classes.parts}>
        {experiment.description && <p className={classes.description}>{experiment.description}</p>}
        <OverviewFailures experiment={experiment} live={live} />
        <OverviewTrend experiment={experiment} live={live} />
        <OverviewCommits experimentId={id} />
        {experiment.imported && (
          <Box mb={24}>
            <ImportedNotice experimentId={id} />
          </Box>
        )}
        <OverviewTaskNotes notes={experiment.taskNotes} promptCount={experiment.axes.prompts.length} />
        <Section title="Axes">
          <AxesList axes={experiment.axes} isFolded />
        </Section>
        <Links experimentId={id} links={experiment.resources} />
        <Section title={`Tests (${count(experiment.testNames.length)})`}>
          <ScrollRegion label="Tests, scrollable" className={classes.scroll}>
            <ul className={classes.tests}>
              {experiment.testNames.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          </ScrollRegion>
        </Section>
      </div>
    </div>
  )
}
