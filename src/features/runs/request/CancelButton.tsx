import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import { cancel } from '#src/api/runs.ts'
import { counted } from '#src/format/numbers.ts'
import { confirm } from '#src/ui/confirm.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { usePageAction } from '#src/ui/page-actions.ts'

type Props = {
  requestId: string
  /** Undefined cancels every unfinished run of the request. */
  runUuids?: readonly string[]
  many: number
  label: string
  /** The reason why there is nothing to cancel. */
  whyNot: string | null
  onDone?: () => void
}

export function CancelButton({ requestId, runUuids, many, label, whyNot, onDone }: Props) {
  const canceling = useMutation({ mutationFn: () => cancel(requestId, runUuids), onSuccess: onDone })
  const verb = `Cancel ${counted(many, 'run')}`
  const ask = () =>
    confirm({
      title: `${verb}?`,
      lost: 'Running agents are stopped and their tests are skipped. Cost already incurred is not refunded. Finished runs are unaffected.',
      verb,
      onConfirm: () => canceling.mutate(),
    })
  usePageAction(whyNot === null ? verb : undefined, ask)
  return (
    <>
      <Button
        variant="default"
        data-disabled={whyNot !== null || undefined}
        aria-disabled={whyNot !== null}
        title={whyNot ?? undefined}
        loading={canceling.isPending}
        onClick={() => whyNot === null && ask()}
      >
        {label}
      </Button>
      {canceling.error && <ErrorNotice title="The runs were not canceled" error={canceling.error} />}
    </>
  )
}
