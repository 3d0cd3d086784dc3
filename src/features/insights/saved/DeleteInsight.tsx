import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import type { SqlInsight } from '#contract/insights.ts'
import { removeInsight } from '#src/api/insights.ts'
import { paths } from '#src/paths.ts'
import { confirm } from '#src/ui/confirm.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'

/** Asks for confirmation and says what is deleted, especially the public page. */
export function DeleteInsight({ insight: { reference, heading, publishedAt } }: { insight: SqlInsight }) {
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
          {publishedAt && <strong>Its public link and every page that embeds it stop working immediately.</strong>} Runs
          are not affected.
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
