import { NativeSelect } from '@mantine/core'

import { useQueryState } from '#src/url/use-query-state.ts'

type Props = {
  label: string
  /** Its name in the URL; the first choice is the plain URL. */
  param: string
  value: string
  choices: readonly { value: string; label: string }[]
}

/** One of a few ways to look, kept in the URL. */
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
