import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { whoamiOptions } from '#src/api/identity.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { memberListOptions } from '#src/api/members.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'

const maxNamed = 5

type Props = {
  title: string
  /** What only admins can do: `see the audit log`. */
  right: string
}

/** A page of settings for admins. Others see who the admins are. */
export function AdminsOnly({ children, ...page }: Props & { children: ReactNode }) {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  return permissionsOf(caller).manageOrganization ? children : <AskAdmins {...page} />
}

function AskAdmins({ title, right }: Props) {
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
