import { useQuery } from '@tanstack/react-query'

import { RemovalKind, retentionLimits } from '#contract/retention.ts'
import { retentionOptions } from '#src/api/retention.ts'

/** Whether the organization's retention removes data of runs. False while that is not known. */
export function useRemovesRuns() {
  const { data } = useQuery({ ...retentionOptions(), staleTime: 60_000 })
  return data !== undefined && RemovalKind.options.some((kind) => data[kind] !== null)
}

/** Says what retention may do after something that keeps runs is deleted. Nothing without rules. */
export const RemovalNote = ({ keeps }: { keeps: string }) =>
  useRemovesRuns() && (
    <>
      {keeps} After {retentionLimits.graceHours} hours, retention can remove data of runs that are old enough, unless
      something else keeps them.
    </>
  )
