import { SegmentedControl } from '@mantine/core'

import { useQueryUrl } from './use-query-url.ts'

type Props = {
  isModeled: boolean
  /** What the modeled query compiles to, which SQL begins from. */
  compiledSql?: string | undefined
}

/** Measures by groups, or SQL. From the one to the other its SQL comes along; back, the fields are as they were. */
export function ModeSwitch({ isModeled, compiledSql }: Props) {
  const { set, ask } = useQueryUrl()
  const choose = (mode: string) => {
    if (mode === 'modeled') set({ mode: 'modeled' })
    else if (compiledSql) ask(compiledSql, { mode: null })
    else set({ mode: null })
  }
  return (
    <SegmentedControl
      size="xs"
      aria-label="Mode"
      value={isModeled ? 'modeled' : 'sql'}
      onChange={choose}
      data={[
        { value: 'modeled', label: 'Builder' },
        { value: 'sql', label: 'SQL' },
      ]}
    />
  )
}
