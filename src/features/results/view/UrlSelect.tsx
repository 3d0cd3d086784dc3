import { NativeSelect } from '@mantine/core'

import { useQueryState } from '#src/url/use-query-state.ts'

type Props = {
  label: string
  /** Its name in the URL. The first choice is the default and not in the URL. */
  param: string
  value: string
  choices: readonly { value: string; label: string }[]
}

/** Selects one of a few options, kept in the URL. */
export function UrlSelect({ label, param, value, choices }: Props) {
  const url = useQueryState()
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) =>
        url.set({ [param]: currentTarget.value === choices[0]?.value ? null : currentTarget.value })
      }
      data={[...choices]}
    />
  )
}
