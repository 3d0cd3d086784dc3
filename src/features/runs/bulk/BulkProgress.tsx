import { Button, Group, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'

import type { BulkAction } from '#contract/bulk-actions.ts'
import { useMayWrite } from '#src/api/permissions.ts'
import { bulkActionOptions, startAction, stopAction } from '#src/api/bulk-actions.ts'
import { shortId } from '#src/format/ids.ts'
import { count, counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import { doingOf } from './bulk-words.ts'
import classes from './bulk.module.css'

/** The progress of a started action, and what came of it. */
export function BulkProgress({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: action, error, refetch } = useQuery(bulkActionOptions(id))
  if (error)
    return <ErrorNotice title="The progress could not be loaded" error={error} onRetry={() => void refetch()} />
  if (!action) return <Skeleton height={96} />
  const isRunning = action.state === 'running'
  return (
    <Stack gap="sm">
      <Text fw={600}>{doingOf(action, !isRunning)}</Text>
      <BulkMeter action={action} />
      <Text component="output" size="sm">
        {describeProgress(action)}
      </Text>
      {action.stateReason && <Text size="sm">{action.stateReason}.</Text>}
      {action.problems.length > 0 && (
        <ul className={classes.facts}>
          {action.problems.map(({ state, reason, runs }) => (
            <li key={state + reason} className={mutedText.plain}>
              {counted(runs, 'run')} {state}: {reason}
            </li>
          ))}
        </ul>
      )}
      {action.runRequestIds.length > 0 && (
        <Text size="sm">
          {action.runRequestIds.length === 1 ? 'New request' : 'New requests'}:{' '}
          {action.runRequestIds.map((requestId, index) => (
            <span key={requestId}>
              {index > 0 && ', '}
              <TextLink href={paths.run(requestId)}>{shortId(requestId)}</TextLink>
            </span>
          ))}
        </Text>
      )}
      {action.kind !== 'delete' && (
        <Text size="sm">
          <TextLink href={`${paths.runs()}?bulk_action=${action.id}`}>Show the runs of this action</TextLink>
        </Text>
      )}
      {isRunning && (
        <Text size="sm" c="dimmed">
          It continues if you close this dialog.
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <StopOrGoOn action={action} />
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  )
}

export function BulkMeter({ action: { touched, progress } }: { action: BulkAction }) {
  return (
    <Progress
      className={classes.meter}
      value={(100 * (touched - progress.pending)) / Math.max(touched, 1)}
      aria-label="Progress of the bulk action"
    />
  )
}

/** Stops a running action; starts the rest of one that stopped. */
export function StopOrGoOn({ action: { id, state, progress } }: { action: BulkAction }) {
  const mayWrite = useMayWrite()
  const stopping = useMutation({ mutationFn: () => stopAction(id) })
  const starting = useMutation({ mutationFn: () => startAction({ actionId: id }) })
  const error = stopping.error ?? starting.error
  return (
    <>
      {error && (
        <ErrorNotice
          title={stopping.error ? 'The action was not stopped' : 'The action was not resumed'}
          error={error}
        />
      )}
      {state === 'running' && mayWrite && (
        <Button size="compact-sm" variant="default" loading={stopping.isPending} onClick={() => stopping.mutate()}>
          Stop
        </Button>
      )}
      {(state === 'stopped' || state === 'failed') && progress.pending > 0 && mayWrite && (
        <Button size="compact-sm" variant="default" loading={starting.isPending} onClick={() => starting.mutate()}>
          Resume
        </Button>
      )}
    </>
  )
}

/** `12 of 12 runs, all done`. Runs that run again are only queued. */
export function describeProgress({ kind, touched, progress: { pending, done, skipped, failed } }: BulkAction) {
  const verb = kind === 'rerun' ? 'queued' : 'done'
  return [
    `${count(touched - pending)} of ${counted(touched, 'run')}`,
    pending === 0 && skipped + failed === 0 ? `all ${verb}` : `${count(done)} ${verb}`,
    skipped > 0 && `${count(skipped)} skipped`,
    failed > 0 && `${count(failed)} failed`,
  ]
    .filter(Boolean)
    .join(', ')
}
