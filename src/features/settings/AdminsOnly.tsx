import { useInfiniteList } from '#src/api/infinite-list.ts'
import { memberListOptions } from '#src/api/members.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'

const maxNamed = 5

/** Shown to members instead of a settings page for admins. Names the admins. */
export function AdminsOnly({ title, what }: { title: string; what: string }) {
  const { rows } = useInfiniteList(memberListOptions())
  const admins = rows?.filter(({ role }) => role === 'admin').map(({ name }) => name) ?? []
  const named = new Intl.ListFormat('en').format(
    admins.length > maxNamed ? [...admins.slice(0, maxNamed), 'others'] : admins,
  )
  return (
    <>
      <title>{`${title} · Assay`}</title>
      <EmptyState
        isPage
        title={title}
        hint={`Only admins of the organization can see ${what}.${admins.length > 0 ? ` Ask ${named}.` : ''}`}
      />
    </>
  )
}
