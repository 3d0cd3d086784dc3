import { useInfiniteList } from '#src/api/infinite-list.ts'
import { memberListOptions } from '#src/api/members.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'

const maxNamed = 5

type Props = {
  title: string
  /** What only admins can do: `see the audit log`. */
  right: string
}

/** Shown to members instead of a settings page for admins. Names the admins. */
export function AdminsOnly({ title, right }: Props) {
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
        hint={`Only admins of the organization can ${right}.${admins.length > 0 ? ` Ask ${named}.` : ''}`}
      />
    </>
  )
}
