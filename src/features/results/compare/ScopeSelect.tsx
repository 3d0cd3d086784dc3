import { NativeSelect } from '@mantine/core'

import { counted } from '#src/format/numbers.ts'
import type { Comparison } from '#statistics/compare-groups.ts'
import { scopes } from '#statistics/scope.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { scopeParameter } from '#src/features/results/view/scope-parameter.ts'

/** Chooses the scope of the verdict; the URL keeps the choice, even if it is the default. */
export function ScopeSelect({ comparison: { scope, prompts } }: { comparison: Comparison }) {
  const url = useQueryState()
  const labels = {
    'prompts like these': 'Prompts like these',
    'these prompts': `Only ${prompts.used > 1 ? `these ${counted(prompts.used, 'prompt')}` : 'these runs'}`,
  }
  return (
    <NativeSelect
      size="xs"
      aria-label="Scope of the verdict"
      value={scopeParameter[scope]}
      onChange={({ currentTarget }) => url.set({ scope: currentTarget.value })}
      data={scopes.map((value) => ({
        value: scopeParameter[value],
        label: labels[value],
        disabled: value === 'prompts like these' && !prompts.arePaired,
      }))}
    />
  )
}
