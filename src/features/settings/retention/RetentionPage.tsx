import { useQuery } from '@tanstack/react-query'

import { retentionKinds, type RetentionPolicy, RetentionRules, type RetentionSweep } from '#contract/retention.ts'
import { retentionOptions } from '#src/api/retention.ts'
import { AdminsOnly } from '#src/features/settings/AdminsOnly.tsx'
import { exactTime } from '#src/format/dates.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { serverNow } from '#src/format/server-clock.ts'
import { amountOf } from './kind-words.ts'
import classes from './retention.module.css'
import { RetentionForm } from './RetentionForm.tsx'

/** How long the organization keeps what it stores. */
export const Component = () => (
  <AdminsOnly title="Retention" right="change the retention rules">
    <EditRetention />
  </AdminsOnly>
)

function EditRetention() {
  const { data, error, refetch } = useQuery(retentionOptions())
  return (
    <>
      <title>Retention · Assay</title>
      <PageHeader
        title="Retention"
        facts={
          <span>
            Assay keeps runs and their data forever unless you set a limit.{' '}
            {data?.updatedAt && (
              <>
                Changed <RelativeTime at={data.updatedAt} />.
              </>
            )}
          </span>
        }
      />
      {error && <ErrorNotice title="The rules could not be loaded" error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <Waiting policy={data} />
          {data.lastSweep && <LastSweep sweep={data.lastSweep} />}
          <RetentionForm policy={{ ...RetentionRules.parse(data), updatedAt: data.updatedAt }} />
        </>
      )}
    </>
  )
}

const isToCome = (at: string) => Date.parse(at) > serverNow()

function Waiting({ policy }: { policy: RetentionPolicy }) {
  const hasRule = retentionKinds.some((kind) => policy[kind] !== null)
  if (!hasRule || policy.removesFrom === null || !isToCome(policy.removesFrom)) return null
  return (
    <div className={classes.waiting}>
      <Notice title={`Nothing is removed before ${exactTime(policy.removesFrom)}.`}>
        Until then you can change the rules, and nothing is lost.
      </Notice>
    </div>
  )
}

function LastSweep({ sweep: { at, removed } }: { sweep: RetentionSweep }) {
  const amounts = retentionKinds.filter((kind) => removed[kind] > 0).map((kind) => amountOf(kind, removed[kind]))
  return (
    <p className={classes.sweep}>
      Last removal <RelativeTime at={at} />: {new Intl.ListFormat('en').format(amounts)}.
    </p>
  )
}
