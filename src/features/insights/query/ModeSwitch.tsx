import { SegmentedControl } from '@mantine/core'

import { useQueryUrl } from './use-query-url.ts'

type Props = {
  isModeled: boolean
  /** The SQL of the builder's query, with which SQL mode starts. */
  compiledSql?: string | undefined
}

/** Switches between builder and SQL. Switching to SQL keeps the generated query; switching back restores the fields. */
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
