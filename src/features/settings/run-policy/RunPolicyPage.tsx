import { useQuery } from '@tanstack/react-query'

import { runPolicyOptions } from '#src/api/run-policy.ts'
import { AdminsOnly } from '#src/features/settings/AdminsOnly.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { RunPolicyForm } from './RunPolicyForm.tsx'

/** What the runs of the organization may use. */
export const Component = () => (
  <AdminsOnly title="Run policy" right="see the run policy">
    <EditRunPolicy />
  </AdminsOnly>
)

function EditRunPolicy() {
  const { data, error, refetch } = useQuery(runPolicyOptions())
  return (
    <>
      <title>Run policy · Assay</title>
      <PageHeader
        title="Run policy"
        facts={
          <span>
            Limits what real runs may use. Assay checks it when you submit runs and again when each run starts.{' '}
            {data?.updatedAt && (
              <>
                Changed <RelativeTime at={data.updatedAt} />.
              </>
            )}
          </span>
        }
      />
      {error && <ErrorNotice title="The policy could not be loaded" error={error} onRetry={() => void refetch()} />}
      {data && <RunPolicyForm policy={data} />}
    </>
  )
}
