import { NativeSelect } from '@mantine/core'

import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import { isAboutPrompts } from '#statistics/leaderboard/leaderboard-rows.ts'
import { type Scope, scopes } from '#statistics/scope.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { scopeParameter } from './scope-parameter.ts'

const scopeLabels: Record<Scope, string> = {
  'prompts like these': 'Prompts like these',
  'these prompts': 'Only these prompts',
}

/** Chooses the prompts that intervals are about; the URL keeps the choice. */
export function IntervalScopeSelect({ data, scope }: { data: LeaderboardSummary; scope: Scope }) {
  const url = useQueryState()
  return (
    <NativeSelect
      size="xs"
      aria-label="Scope of the intervals"
      value={scopeParameter[scope]}
      onChange={({ currentTarget }) => url.set({ scope: currentTarget.value })}
      data={scopes.map((value) => ({
        value: scopeParameter[value],
        label: scopeLabels[value],
        disabled: value === 'prompts like these' && !isAboutPrompts(data),
      }))}
    />
  )
}
