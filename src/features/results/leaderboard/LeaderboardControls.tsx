import { Button, NativeSelect } from '@mantine/core'

import type { HeatmapParameters } from '#contract/charts.ts'
import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { counted } from '#src/format/numbers.ts'
import { IntervalScopeSelect } from '#src/features/results/view/IntervalScopeSelect.tsx'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import type { Scope } from '#statistics/scope.ts'
import { useQueryState } from '#src/url/use-query-state.ts'

type Props = {
  data: LeaderboardSummary
  rows: readonly LeaderboardRow[]
  scope: Scope
  baseline: LeaderboardRow | null
  parameters: HeatmapParameters
  /** Only a table shows differences from a baseline. */
  hasBaseline: boolean
}

/** Chooses the scope of the intervals, the baseline, and whether only prompts that every group has are counted. */
export function LeaderboardControls({ data, rows, scope, baseline, parameters, hasBaseline }: Props) {
  const url = useQueryState()
  const common = data.prompts.filter((prompt) => rows.every(({ prompts }) => prompts.has(prompt)))
  const isIncomplete = common.length < data.prompts.length
  return (
    <>
      {isIncomplete && common.length > 0 && (
        <Button variant="default" onClick={() => url.set({ prompt_ids: common })}>
          Only the {counted(common.length, 'prompt')} that all have
        </Button>
      )}
      {parameters.promptIds.length > 0 && (
        <Button variant="default" onClick={() => url.set({ prompt_ids: null })}>
          All prompts
        </Button>
      )}
      <IntervalScopeSelect data={data} scope={scope} />
      {hasBaseline && rows.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label="Baseline"
          maw={200}
          value={baseline?.group ?? ''}
          onChange={({ currentTarget }) => url.set({ baseline: currentTarget.value })}
          data={[
            { value: '', label: 'No baseline' },
            ...rows.map(({ group, label }) => ({ value: group, label: `Baseline: ${label}` })),
          ]}
        />
      )}
    </>
  )
}
