import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { beginReport } from '#src/api/reports.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import type { Fields } from './stored-report.ts'

type Props = { fields: Fields; onSaved: () => void }

/** Somebody deleted the report while its text stands here. */
export function DeletedNotice({ fields: { title, description, body }, onSaved }: Props) {
  const navigate = useNavigate()
  const beginning = useMutation({
    mutationFn: () => beginReport({ title: title.trim() || 'Untitled', description, bodyMarkdown: body }),
    onSuccess: ({ report }) => {
      onSaved()
      return navigate(paths.report(report.id), { replace: true })
    },
  })
  return (
    <Notice title="This report was deleted.">
      Your text is kept in this browser.{' '}
      <Button
        size="compact-xs"
        variant="default"
        loading={beginning.isPending}
        // Pressing again after it exists would create a second report.
        disabled={beginning.isSuccess}
        onClick={() => beginning.mutate()}
      >
        Save as new report
      </Button>
      {beginning.error && <ErrorNotice title="Couldn’t create the report" error={beginning.error} />}
    </Notice>
  )
}
