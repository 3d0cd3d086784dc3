import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type LoaderFunctionArgs, useParams } from 'react-router'

import { experimentOptions } from '#src/api/experiments.ts'
import { queryClient } from '#src/api/query-client.ts'
import { failureSignaturesOptions } from '#src/api/failure-signatures.ts'
import { taskOptions } from '#src/api/tasks.ts'
import { SignatureList } from '#src/shared/failure-signatures/SignatureList.tsx'
import { count } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useExperimentId } from '#src/url/use-experiment-id.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { TaskDefinition } from './TaskDefinition.tsx'
import { TaskFacts } from './TaskFacts.tsx'
import { TaskGroups } from './TaskGroups.tsx'
import { TaskRuns } from './TaskRuns.tsx'
import classes from './tasks.module.css'
import { useMeasuredTasks, versionOf } from './use-measured-tasks.ts'

export async function loader({ params: { id = '', task = '' }, request }: LoaderFunctionArgs) {
  const experiment = await queryClient.ensureQueryData(experimentOptions(id))
  const version = versionOf(experiment, new URL(request.url).searchParams.get('version') ?? '')
  await queryClient.ensureQueryData(taskOptions({ id, task, version }))
  return null
}

const shownSignatures = 5

/** One task: what it asks, where it runs, what tests it, who solves it, and how its runs fail. */
export function Component() {
  const id = useExperimentId()
  const { task: taskId = '' } = useParams()
  const { data: experiment, dataUpdatedAt } = useSuspenseQuery(experimentOptions(id))
  const version = versionOf(experiment, useQueryState().one('version'))
  const { data: task } = useSuspenseQuery(taskOptions({ id, task: taskId, version }))
  const { measured, parameters, error, refetch } = useMeasuredTasks(experiment, dataUpdatedAt, version)
  const own = measured?.find(({ prompt }) => prompt === taskId) ?? null
  const ofTask = { ...parameters, promptIds: [taskId] }
  const failures = useQuery(failureSignaturesOptions(id, ofTask, { limit: shownSignatures }))
  const failuresHref = (signature?: string) =>
    paths.experiment(id, 'results', { view: 'failures', version, prompt_ids: taskId, signature })
  return (
    <>
      <title>{`${taskId} · ${experiment.name} · Assay`}</title>
      <div className={classes.title}>
        <h2>{taskId}</h2>
        <TextLink href={paths.experiment(id, 'tasks', { version: version !== experiment.fingerprint && version })}>
          All tasks
        </TextLink>
      </div>
      <TaskFacts task={task} measured={own} tasks={measured?.length ?? 0} />
      {error && <ErrorNotice title="The results could not be loaded" error={error} onRetry={() => void refetch()} />}
      <div className={classes.columns}>
        <div className={classes.parts}>
          <Section title="Who solves it">
            <TaskGroups
              parameters={ofTask}
              experimentId={id}
              version={version}
              groups={measured && (own?.groups ?? [])}
            />
          </Section>
          {failures.data && failures.data.signatures.length > 0 && (
            <Section
              title="How its runs fail"
              aside={<TextLink href={failuresHref()}>{`All ${count(failures.data.total)} failures`}</TextLink>}
            >
              <SignatureList signatures={failures.data.signatures} hrefOf={failuresHref} />
            </Section>
          )}
          <Section
            title="Runs"
            aside={
              <TextLink href={paths.experiment(id, 'runs', { prompt: [taskId], version_scope: version })}>
                All runs
              </TextLink>
            }
          >
            <TaskRuns experimentId={id} task={taskId} version={version} />
          </Section>
        </div>
        <div className={classes.parts}>
          <TaskDefinition task={task} />
        </div>
      </div>
    </>
  )
}
