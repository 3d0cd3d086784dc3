import type { ReactNode } from 'react'

import type { FinishedRequest, UnfinishedRequest } from '#contract/home.ts'
import { paths } from '#src/paths.ts'
import lines from '#src/ui/line-list.module.css'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

type Props = { request: UnfinishedRequest | FinishedRequest; at: string; children?: ReactNode }

/** A request's experiment, version and submitter, with a link to it. */
export const RequestName = ({ request, at, children }: Props) => (
  <div className={lines.what}>
    <TextLink href={paths.run(request.id)} className={lines.link}>
      {request.experimentName}
    </TextLink>
    <span className={lines.facts}>
      v{request.ordinal}
      {request.mock && ' · mock'} · {request.triggeredBy.name} · <RelativeTime at={at} />
    </span>
    {children}
  </div>
)
