import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import type { RunRequest } from '#contract/runs.ts'
import { ClipButton } from '#src/clip/ClipButton.tsx'
import { CopyAs } from '#src/copy-as/CopyAs.tsx'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { CopyId } from '#src/ui/CopyId.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { SubmitAgain } from './SubmitAgain.tsx'
import { takeRequest } from './export-runs.ts'

export function RequestFacts({ request, actions }: { request: RunRequest; actions: ReactNode }) {
  const { id, experimentId, experimentFingerprint: version, repeat, variantCount, flags, mock } = request
  const { clip, copies } = takeRequest(request)
  return (
    <PageHeader
      above={<TextLink href={paths.experiment(experimentId)}>{request.experimentName}</TextLink>}
      title={`${counted(variantCount, 'variant')} × ${counted(repeat, 'repeat')}`}
      facts={
        <>
          <span>
            Request <CopyId id={id} what="request id" />
          </span>
          <span>
            Version{' '}
            <TextLink
              href={paths.experiment(experimentId, 'definition', { version })}
            >{`v${request.ordinal}`}</TextLink>
          </span>
          <span>
            {request.triggeredBy.name}, <RelativeTime at={request.createdAt} />
          </span>
          {flags.length > 0 && <span>Flags {flags.join(', ')}</span>}
          {mock && <span>Mock runs (simulated, free)</span>}
        </>
      }
      actions={
        <>
          {actions}
          <SubmitAgain request={request} />
          <ClipButton clip={clip} />
          <CopyAs {...copies} />
          <Button component={Link} to={paths.experiment(experimentId, 'results', { version })}>
            Results
          </Button>
        </>
      }
    />
  )
}
