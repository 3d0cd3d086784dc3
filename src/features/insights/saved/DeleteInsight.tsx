import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import type { SqlInsight } from '#contract/insights.ts'
import { removeInsight } from '#src/api/insights.ts'
import { paths } from '#src/paths.ts'
import { RemovalNote, useRemovesRuns } from '#src/shared/retention/RemovalNote.tsx'
import { confirm } from '#src/ui/confirm.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'

/** Asks for confirmation and says what is deleted, especially the public page. */
export function DeleteInsight({ insight }: { insight: SqlInsight }) {
  const { reference, heading, publishedAt } = insight
  const navigate = useNavigate()
  const deleting = useMutation({
    mutationFn: () => removeInsight(reference),
    onSuccess: () => navigate(paths.insights(), { replace: true }),
  })
  const ask = () =>
    confirm({
      title: `Delete “${heading}”?`,
      lost: (
        <>
          This permanently deletes its SQL, description, labels and chart. Reports that use it will show it as deleted.{' '}
          {publishedAt && <strong>Its public link and every page that embeds it stop working immediately.</strong>}{' '}
          <RunsAfterwards insight={insight} />
        </>
      ),
      verb: 'Delete insight',
      onConfirm: () => deleting.mutate(),
    })
  return (
    <>
      {deleting.error && <ErrorNotice title="The insight was not deleted" error={deleting.error} />}
      <Button variant="default" loading={deleting.isPending} onClick={ask}>
        Delete
      </Button>
    </>
  )
}

/** A published insight over everything keeps no run. */
function RunsAfterwards({ insight: { publishedAt, provenance } }: { insight: SqlInsight }) {
  const removesRuns = useRemovesRuns()
  if (!removesRuns || publishedAt === undefined || provenance.kind === 'none') return 'Runs are not affected.'
  const kept = provenance.kind === 'run' ? 'its run' : 'the runs of its experiment'
  return <RemovalNote keeps={`While it is published, it keeps ${kept} from retention.`} />
}
