import { redirect } from 'react-router'

import { whoamiOptions } from '#src/api/identity.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { queryClient } from '#src/api/query-client.ts'
import { paths } from '#src/paths.ts'
import { settingsFor } from './settings-pages.ts'

/** Opens the first page of settings that concerns the caller. */
export async function loader() {
  const caller = await queryClient.ensureQueryData(whoamiOptions())
  const [first] = settingsFor(caller, permissionsOf(caller)).flatMap(({ pages }) => pages)
  throw redirect(paths.settings(first?.page ?? 'keys'))
}
