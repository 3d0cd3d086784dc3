import { Button, Menu } from '@mantine/core'
import { IconDotsVertical } from '@tabler/icons-react'
import { Link } from 'react-router'

import type { RunDetail } from '#contract/runs.ts'
import { ForWriters } from '#src/shared/writers/ForWriters.tsx'
import { ClipButton } from '#src/shared/clip/ClipButton.tsx'
import { CopyAs } from '#src/shared/copy-as/CopyAs.tsx'
import { nameOfAxes, shortId } from '#src/format/ids.ts'
import { paths } from '#src/paths.ts'
import { CopyId } from '#src/ui/CopyId.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { StatusBadge } from '#src/ui/StatusBadge.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { RunMarks } from '#src/features/runs/list/RunMarks.tsx'
import { exportRun } from '#src/features/runs/request/export-runs.ts'
import { isImportedRun, runCan } from '#contract/run-status.ts'
import { CancelButton } from '#src/features/runs/request/CancelButton.tsx'
import { LabelsItem, TargetTags } from '#src/shared/labels/TargetLabels.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './RunHeader.module.css'
import { RunResult } from './RunResult.tsx'

/** A finished run has no cancel button. */
const CancelRun = ({ run }: { run: RunDetail }) =>
  runCan.cancel(run) && (
    <ForWriters>
      <CancelButton requestId={run.runRequestId} runUuids={[run.runUuid]} many={1} label="Cancel" whyNot={null} />
    </ForWriters>
  )

export function RunHeader({ run }: { run: RunDetail }) {
  const { experimentId, experimentFingerprint: version, runRequestId, flags: flag, mock } = run
  const { clip, copies } = exportRun(run)
  const from = useQueryState().one('from')
  return (
    <PageHeader
      above={
        <>
          {from && (
            <>
              <TextLink href={paths.resultsFrom(experimentId, from)}>← Back to results</TextLink>
              {' · '}
            </>
          )}
          <TextLink href={paths.experiment(experimentId)}>{run.experimentName}</TextLink>
          {' / '}
          <TextLink href={paths.run(runRequestId)}>request {shortId(runRequestId)}</TextLink>
        </>
      }
      title={
        <span className={classes.title}>
          {nameOfAxes(run.variantId)} <span className={mutedText.plain}>#{run.repeat}</span>
        </span>
      }
      facts={
        <>
          <RunResult run={run} />
          <StatusBadge status={run.status} />
          <span>
            Run <CopyId id={run.id} what="run id" short={run.id.slice(run.id.indexOf('::') + 2)} />
          </span>
          <span>
            Version{' '}
            <TextLink href={paths.experiment(experimentId, 'definition', { version })}>{`v${run.ordinal}`}</TextLink>
          </span>
          <span>
            {run.triggeredBy.name}, <RelativeTime at={run.createdAt} />
          </span>
          {flag.length > 0 && <span>Flags {flag.join(', ')}</span>}
          <RunMarks run={run} />
          <TargetTags />
        </>
      }
      actions={
        <>
          <CancelRun run={run} />
          {/* Nobody here has the agents of imported runs. */}
          {!isImportedRun(run) && (
            <ForWriters>
              <Button
                component={Link}
                variant="default"
                to={paths.submit(experimentId, { version, variant: [run.variantId], flag, mock })}
              >
                Run again
              </Button>
            </ForWriters>
          )}
          <ClipButton clip={clip} />
          <CopyAs {...copies} />
          <Menu position="bottom-end" shadow="sm">
            <Menu.Target>
              <Button variant="default" px={7} aria-label="More about the run">
                <IconDotsVertical size={14} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item component={Link} to={paths.compare({ left: run.id })}>
                Compare with…
              </Menu.Item>
              <LabelsItem />
              <Menu.Item component={Link} to={paths.query({ run: run.id })}>
                Query its data
              </Menu.Item>
              <Menu.Item component={Link} to={paths.experiment(experimentId, 'results', { version })}>
                {`Results of v${run.ordinal}`}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      }
    />
  )
}
