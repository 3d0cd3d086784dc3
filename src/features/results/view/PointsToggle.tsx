import { Button } from '@mantine/core'

import { useQueryState } from '#src/url/use-query-state.ts'

type Props = { isOn: boolean; isLoading: boolean; isDefault: boolean }

/** Shows single runs behind the marks. */
export function PointsToggle({ isOn, isLoading, isDefault }: Props) {
  const url = useQueryState()
  return (
    <Button
      size="xs"
      variant={isOn ? 'light' : 'default'}
      fw={450}
      aria-pressed={isOn}
      loading={isLoading}
      onClick={() => url.set({ points: isOn === isDefault ? String(!isOn) : null })}
    >
      Runs
    </Button>
  )
}
