import { SearchField } from '#src/ui/SearchField.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'

/** Shows only tests whose name contains the text. */
export function TestSearch() {
  const url = useQueryState()
  return (
    <SearchField
      label="Search tests"
      width={180}
      value={url.one('test_search')}
      onChange={(test_search) => url.set({ test_search })}
    />
  )
}
