import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import type { RunRequest } from '#contract/runs.ts'
import { experimentOptions } from '#src/api/experiments.ts'
import { paths } from '#src/paths.ts'

/** Opens the dialog on exactly what this request was; the whole matrix is named by naming none of it. */
export function SubmitAgain({ request }: { request: RunRequest }) {
  const { experimentId, experimentFingerprint: version, variantIds, repeat, flags: flag, mock } = request
  const { data } = useQuery({ ...experimentOptions(experimentId, version), refetchInterval: false })
  const variant = data?.variants.length === variantIds.length ? [] : variantIds
  return (
    <Button
      component={Link}
      variant="default"
      to={paths.submit(experimentId, { version, variant, flag, mock, repeat })}
    >
      Submit again
    </Button>
  )
}
