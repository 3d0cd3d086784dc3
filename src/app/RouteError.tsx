import { VisuallyHidden } from '@mantine/core'
import { useRouteError, useRevalidator } from 'react-router'

import { isApiError } from '#src/api/errors.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import classes from './RouteError.module.css'
import { describeRouteError } from './describe-route-error.ts'
import { UnavailableOrganization } from './unavailable-organization.ts'
import { UnavailableOrganizationPage } from './UnavailableOrganizationPage.tsx'

/** The end of the message about a removed run. The rest repeats the address, which anybody can write into a link. */
const removedText = (message: string) =>
  /(?<=no longer exists\. )Removed on \d+ \w+ \d+ by the organization’s retention: runs are kept for \d+ days$/.exec(
    message,
  )?.[0]

/** Shown instead of a page that failed to load. */
export function RouteError() {
  const error = useRouteError()
  const revalidator = useRevalidator()
  if (error instanceof UnavailableOrganization) return <UnavailableOrganizationPage error={error} />
  if (isApiError(error, 'not_found')) return <NotFoundPage removed={removedText(error.message)} />
  if (isApiError(error, 'unauthenticated')) return null
  const { title, message, canRetry } = describeRouteError(error)
  const retry = () => (isApiError(error) ? void revalidator.revalidate() : window.location.reload())
  return (
    <div className={classes.page}>
      <title>Something went wrong · Assay</title>
      <VisuallyHidden component="h1">This page could not be loaded</VisuallyHidden>
      <ErrorNotice
        title={title}
        error={{ message, requestId: isApiError(error) ? error.requestId : undefined }}
        onRetry={canRetry ? retry : undefined}
      />
    </div>
  )
}
