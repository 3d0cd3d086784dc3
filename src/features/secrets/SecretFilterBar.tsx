import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

import { FilterBar } from '#src/ui/FilterBar.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'

export function SecretFilterBar() {
  const url = useQueryState()
  const [search, setSearch] = useState(url.one('query'))
  const save = useDebouncedCallback((query: string) => url.set({ query }), 200)
  const change = (text: string) => {
    setSearch(text)
    save(text)
  }
  return (
    <FilterBar label="Filter secrets" active={false} onClear={() => change('')}>
      <SearchField label="Search secrets" value={search} onChange={change} />
    </FilterBar>
  )
}
