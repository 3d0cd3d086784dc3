import { useQuery, useSuspenseQuery } from '@tanstack/react-query'

import { balanceOptions } from '#src/api/credits.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { organizationOptions, setOrganizationName } from '#src/api/names.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { queryClient } from '#src/api/query-client.ts'
import { NameForm } from '#src/features/settings/NameForm.tsx'
import { calendarDay } from '#src/format/dates.ts'
import { Fact } from '#src/ui/Fact.tsx'
import { FactBand } from '#src/ui/FactBand.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'

export async function loader() {
  await queryClient.ensureQueryData(organizationOptions())
  return null
}

/** Everyone sees what the organization is called; admins change its name. */
export function Component() {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { data: organization } = useSuspenseQuery(organizationOptions())
  const { manageOrganization, readBalance } = permissionsOf(caller)
  const { name, slug, createdAt } = organization
  return (
    <>
      <title>Organization · Assay</title>
      <PageHeader
        title="Organization"
        facts={manageOrganization ? 'The name that its members see.' : 'Only admins can change the name.'}
      />
      {manageOrganization && (
        <NameForm
          label="Name"
          hint="URLs and the API use the slug, which does not change."
          name={name}
          save={setOrganizationName}
        />
      )}
      <FactBand>
        {!manageOrganization && <Fact name="Name">{name}</Fact>}
        <Fact name="Slug" title="Part of URLs; never changes">
          {slug}
        </Fact>
        {readBalance && <Plan />}
        <Fact name="Created">{calendarDay(createdAt)}</Fact>
      </FactBand>
    </>
  )
}

function Plan() {
  const { data, error } = useQuery(balanceOptions())
  return (
    <Fact name="Plan" title="The operator of this installation sets the plan">
      {data?.plan ?? (error ? 'could not be loaded' : '…')}
    </Fact>
  )
}
