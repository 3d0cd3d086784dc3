import { NativeSelect } from '@mantine/core'

import { useQueryState } from '#src/url/use-query-state.ts'

type Props = {
  label: string
  /** Its name in the URL. The first choice is the default and not in the URL, unless `hasNoDefault`. */
  param: string
  /** True if the runs, or a parameter of an older link, decide what a URL without this parameter shows. */
  hasNoDefault?: boolean
  value: string
  choices: readonly { value: string; label: string }[]
}

/** Selects one of a few options, kept in the URL. */
export function UrlSelect({ label, param, hasNoDefault = false, value, choices }: Props) {
  const url = useQueryState()
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) =>
        url.set({ [param]: !hasNoDefault && currentTarget.value === choices[0]?.value ? null : currentTarget.value })
      }
      data={[...choices]}
    />
  )
}
