import { Checkbox, NativeSelect } from '@mantine/core'

import type { QueryTarget } from '#src/api/queries.ts'
import { count } from '#src/format/numbers.ts'
import { rowLimits } from './query-state.ts'
import { useQueryUrl } from './use-query-url.ts'

/** How many rows, and whether runs that noticed they were tested count. A run chosen by name always does. */
export function QueryOptions({ target }: { target: QueryTarget }) {
  const { state, set } = useQueryUrl()
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="At most this many rows"
        value={String(state.limit)}
        onChange={(event) => set({ limit: event.currentTarget.value })}
        data={rowLimits.map((limit) => ({ value: String(limit), label: `${count(limit)} rows at most` }))}
      />
      {target.kind === 'experiment' && (
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
