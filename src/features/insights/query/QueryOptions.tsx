import { Checkbox, NativeSelect } from '@mantine/core'

import type { QueryTarget } from '#src/api/queries.ts'
import { count } from '#src/format/numbers.ts'
import { rowLimits } from './query-state.ts'
import { useQueryUrl } from './use-query-url.ts'

/** The row limit, and whether test-aware runs are included. A query on a single run has no such option. */
export function QueryOptions({ scope }: { scope: QueryTarget }) {
  const { state, set } = useQueryUrl()
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="Row limit"
        value={String(state.limit)}
        onChange={(event) => set({ limit: event.currentTarget.value })}
        data={rowLimits.map((limit) => ({ value: String(limit), label: `Limit: ${count(limit)} rows` }))}
      />
      {scope.kind !== 'run' && (
        <Checkbox
          size="xs"
          label="Include test-aware runs"
          checked={state.includeTestAware}
          onChange={(event) => set({ testAware: event.currentTarget.checked ? '1' : null })}
        />
      )}
    </>
  )
}
